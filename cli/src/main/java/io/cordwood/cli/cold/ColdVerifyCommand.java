package io.cordwood.cli.cold;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.question.RangeFlags;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.cold.ColdDownload;
import io.cordwood.common.cold.ColdObject;
import io.cordwood.common.cold.ColdSegment;
import io.cordwood.common.cold.ComparedList;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.segment.SegmentSalvage;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** {@code cordwood cold verify}: checks segments in a bucket. */
final class ColdVerifyCommand implements Command {
  private final ColdPlace place = new ColdPlace();
  private final RangeFlags range = new RangeFlags();
  private boolean tails;
  private boolean quiet;

  @Override
  public void list(FlagList list) {
    list.description(
        "Check every byte of the segments of a place: that they are the bytes that their names "
            + "say, and that every checksum in them is right. Each is copied here for that, and "
            + "deleted again.");
    list.footer(
        "",
        "Exit code 0 if all are intact, 1 if one is damaged, or is named there as put, but not "
            + "listed, or if a manifest does not read, 2 on error.");
    list.sorted();
    list.addAll(place);
    list.addAll(range);
    list.flag("--tails")
        .help("Check only what is read before blocks are: one short request for each segment.")
        .on(value -> tails = value);
    list.flag("-q", "--quiet").help("Print nothing of intact ones.").on(value -> quiet = value);
  }

  @Override
  public Integer call() throws IOException {
    try (Bucket bucket = place.open()) {
      ComparedList found = ColdPlace.list(bucket, range);
      ColdPlace.complain("verify", found);
      boolean intact = found.lacking().isEmpty() && found.unread().isEmpty();
      for (ColdObject object : found.all()) {
        intact &= verify(bucket, object);
      }
      return intact ? Programs.SUCCESS : Programs.NONE;
    }
  }

  private boolean verify(Bucket bucket, ColdObject object) throws IOException {
    try {
      if (tails) {
        checkTail(bucket, object);
      } else {
        checkAll(bucket, object);
      }
    } catch (CorruptException e) {
      return damaged(object, String.valueOf(e.getMessage()));
    } catch (BucketException e) {
      if (e.kind() == Kind.UNEXPECTED || e.kind() == Kind.MISSING) {
        return damaged(object, String.valueOf(e.getMessage()));
      }
      throw e;
    }
    if (!quiet) {
      StandardOutput.print(
          "%s: intact, %s%d bytes%n"
              .formatted(
                  object.name(),
                  tails ? "the last %d of ".formatted(object.name().tailBytes()) : "",
                  object.bytes()));
    }
    return true;
  }

  private static boolean damaged(ColdObject object, String why) throws IOException {
    StandardOutput.print(object.name() + ": " + why + "\n");
    return false;
  }

  private static void checkTail(Bucket bucket, ColdObject object) throws IOException {
    StoreSegment segment = ColdSegment.open(bucket, object);
    try {
      var _ = segment.slices();
    } finally {
      segment.release();
    }
  }

  private static void checkAll(Bucket bucket, ColdObject object) throws IOException {
    Path file = Files.createTempFile("cordwood-", ".cws");
    try {
      ColdDownload.get(bucket, object, file);
      try (ReadableFile copy = Filesystem.real().open(file)) {
        List<CorruptException> damage = SegmentSalvage.scan(copy).damage();
        if (!damage.isEmpty()) {
          throw damage.getFirst();
        }
      }
      checkTail(bucket, object);
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
