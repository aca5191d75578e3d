package io.cordwood.common.cold;

import io.cordwood.common.bucket.Bucket;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds names that no object ever had: a character was wrong in one list, as by a flipped bit. Such
 * a name differs in one character from one that is listed now, of which the bucket says that it is
 * there, and of the other one that it is not. Two objects never have such names: other bytes have
 * another hash in most of its digits, and the same bytes are the same records. So a list that lies
 * has nothing forgotten that is there.
 */
final class MisreadNames {
  /** A flipped bit changes one. */
  private static final int MOST = 16;

  private static final Logger LOG = LoggerFactory.getLogger(MisreadNames.class);

  private MisreadNames() {}

  /**
   * Those among the names that a list lacks; two requests for each that looks like one.
   *
   * @param listed in that list
   */
  static Set<ColdName> among(Set<ColdName> lacking, List<ColdObject> listed, Bucket bucket) {
    Set<ColdName> misread = new HashSet<>();
    if (lacking.size() > MOST) {
      return misread;
    }
    for (ColdName name : lacking) {
      String key = name.key();
      Optional<ColdObject> real =
          listed.stream().filter(it -> differInOne(key, it.name().key())).findFirst();
      if (real.isPresent() && wasNever(key, real.get(), bucket)) {
        misread.add(name);
      }
    }
    return misread;
  }

  private static boolean differInOne(String one, String other) {
    if (one.length() != other.length()) {
      return false;
    }
    int different = 0;
    for (int i = 0; i < one.length() && different < 2; i++) {
      different += one.charAt(i) == other.charAt(i) ? 0 : 1;
    }
    return different == 1;
  }

  private static boolean wasNever(String key, ColdObject real, Bucket bucket) {
    try {
      if (bucket.size(key).isPresent()
          || bucket.size(real.name().key()).orElse(-1) != real.bytes()) {
        return false;
      }
    } catch (IOException e) {
      LOG.warn("{}/{}: not known whether it was ever there: {}", bucket, key, e.getMessage());
      return false;
    }
    LOG.warn("{}/{}: a list had it in place of {}, it was never there", bucket, key, real.name());
    return true;
  }
}
