package io.cordwood.common.cold;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.Bucket.Entry;
import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The cold objects of a bucket at one moment.
 *
 * @param objects by day, class and time of the first record
 * @param strangers listed things that are no cold objects
 */
public record ColdList(List<ColdObject> objects, int strangers) {
  /** Later ones have more digits than the days in names. */
  private static final int LAST_YEAR = 9998;

  public ColdList {
    objects = List.copyOf(objects);
  }

  /** Lists the objects that may have records of a range: those of its days, in one go. */
  public static ColdList of(Bucket bucket, UlidRange range) throws IOException {
    return of(entries(bucket, ColdName.ROOT, range), range);
  }

  /** Lists what there is of the days of a range; there may be later ones beside it. */
  static List<Entry> entries(Bucket bucket, String root, UlidRange range) throws IOException {
    LocalDate first = LocalDate.ofInstant(range.from().time(), ZoneOffset.UTC);
    LocalDate last = LocalDate.ofInstant(range.to().time(), ZoneOffset.UTC);
    boolean endless = last.getYear() > LAST_YEAR;
    String end = endless ? "" : root + last.plusDays(1) + "/";
    List<Entry> entries = new ArrayList<>();
    Optional<String> after = Optional.of(root + first + "/");
    while (after.isPresent() && (endless || after.get().compareTo(end) < 0)) {
      Bucket.Page page = bucket.list(root, after.get());
      entries.addAll(page.entries());
      after = page.next();
    }
    return entries;
  }

  /** Lists the objects of one day. */
  public static ColdList of(Bucket bucket, LocalDate day) throws IOException {
    return of(bucket.listAll(ColdName.prefix(day)), UlidRange.ALL);
  }

  private static ColdList of(List<Entry> entries, UlidRange range) {
    List<ColdObject> objects = new ArrayList<>();
    int strangers = 0;
    for (Entry entry : entries) {
      Optional<ColdName> name = ColdName.parse(entry.key());
      if (name.isEmpty()) {
        strangers++;
      } else if (name.get().range().overlaps(range)) {
        objects.add(new ColdObject(name.get(), entry.bytes(), entry.modified()));
      }
    }
    return new ColdList(objects, strangers);
  }

  /**
   * Lists the lengths of what was put, also if the place is encrypted and was opened without its
   * key. Reads the end of one object for that: a place is encrypted wholly or not at all.
   *
   * @throws io.cordwood.common.bucket.BucketException if it was opened with a key, and is not
   */
  public ColdList decrypted(Bucket bucket) throws IOException {
    if (objects.isEmpty()) {
      return this;
    }
    Bucket.Tail end = bucket.tail(objects.getLast().name().key(), Bucket.Tail.MARK_BYTES);
    return end.isEncrypted()
        ? new ColdList(objects.stream().map(ColdObject::decrypted).toList(), strangers)
        : this;
  }

  public long bytes() {
    return objects.stream().mapToLong(ColdObject::bytes).sum();
  }
}
