package io.cordwood.common.bucket;

import io.cordwood.common.bucket.BucketException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Credentials in a file, in the form of {@code ~/.aws/credentials}: a section for each profile.
 * Read again a minute after it was read, so that who renews it restarts nothing.
 */
final class KeyFile implements AccessKeys {
  private static final long AGAIN_NANOS = 60_000_000_000L;

  private final Path file;
  private final String profile;
  private @Nullable AccessKey known;
  private long readNanos;

  KeyFile(Path file, String profile) {
    this.file = file;
    this.profile = profile;
  }

  @Override
  public synchronized AccessKey current() throws IOException {
    AccessKey key = known;
    if (key == null || System.nanoTime() - readNanos > AGAIN_NANOS) {
      key = read();
      known = key;
      readNanos = System.nanoTime();
    }
    return key;
  }

  private AccessKey read() throws IOException {
    Map<String, String> values = section();
    String id = values.get("aws_access_key_id");
    String secret = values.get("aws_secret_access_key");
    if (id == null || secret == null) {
      throw new BucketException(
          Kind.DENIED,
          "%s: expected aws_access_key_id and aws_secret_access_key in a section [%s]"
              .formatted(file, profile));
    }
    return new AccessKey(
        id,
        secret,
        Optional.ofNullable(values.get("aws_session_token")),
        expiry(values.get("expiration")));
  }

  private static Optional<Instant> expiry(@Nullable String text) {
    try {
      return Optional.ofNullable(text).map(Instant::parse);
    } catch (DateTimeException e) {
      return Optional.empty(); // others write it in forms of their own; the server knows better
    }
  }

  private Map<String, String> section() throws IOException {
    Map<String, String> values = new HashMap<>();
    boolean inside = false;
    try {
      for (String line : Files.readAllLines(file)) {
        String text = line.strip();
        int equals = text.indexOf('=');
        if (text.startsWith("[")) {
          inside = text.equals("[" + profile + "]");
        } else if (inside && equals > 0 && text.charAt(0) != '#') {
          values.put(text.substring(0, equals).strip(), text.substring(equals + 1).strip());
        }
      }
    } catch (IOException e) {
      throw new BucketException(Kind.DENIED, "credentials: cannot read " + file, e);
    }
    return values;
  }

  @Override
  public synchronized void renew() {
    known = null;
  }
}
