package io.cordwood.cli.cold;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.question.RangeFlags;
import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.cold.ColdDownload;
import io.cordwood.common.cold.ColdObject;
import io.cordwood.common.cold.ComparedList;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.text.Sizes;
import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** {@code cordwood cold get}: copies segments from a bucket into a folder. */
final class ColdGetCommand implements Command {
  /** Ends the name of a file that is not all there. */
  private static final String PART = ".part";

  /** A file that nobody has written to for so long is of a command that was killed. */
  private static final Duration ABANDONED = Duration.ofDays(1);

  private final ColdPlace place = new ColdPlace();
  private final RangeFlags range = new RangeFlags();
  private @Nullable Path folder;

  @Override
  public void list(FlagList list) {
    list.description(
        "Copy segments from a place into a folder, as files with the names that stores give them: "
            + "'cordwood grep' and 'cordwood segment' read them, and a store that is started on "
            + "that folder has them. What is there already is left as it is, so that this can be "
            + "repeated.");
    list.footer("", "Exit code 0 if all are there, 1 if there is none, 2 on error.");
    list.sorted();
    list.addAll(place);
    list.argument("1", "1")
        .label("FOLDER")
        .help("Where to; it is made if there is none.")
        .value(Path.class, folder, value -> folder = value);
    list.addAll(range);
  }

  @Override
  public Integer call() throws IOException {
    Path target = Objects.requireNonNull(folder);
    try (Bucket bucket = place.open()) {
      ComparedList found = ColdPlace.list(bucket, range);
      List<ColdObject> all = found.all(); // Last those that may not be there.
      ColdPlace.complain("get", found);
      Filesystem.real().createFolders(target);
      dropAbandoned(target);
      Map<UlidRange, Integer> numbers = new HashMap<>();
      long bytes = 0;
      int got = 0;
      for (ColdObject object : all) {
        int number = numbers.merge(object.name().range(), 1, Integer::sum);
        if (get(bucket, object, target.resolve(name(object, number)))) {
          got++;
          bytes += object.bytes();
        }
      }
      System.err.printf(
          "cordwood cold get: %d segments, %s; %d were there%n",
          got, Sizes.format(bytes), all.size() - got);
      return all.isEmpty() ? Programs.NONE : Programs.SUCCESS;
    }
  }

  private static void dropAbandoned(Path folder) throws IOException {
    Instant before = Instant.now().minus(ABANDONED);
    for (Path file : Filesystem.real().list(folder)) {
      if (file.toString().endsWith(PART)
          && Files.getLastModifiedTime(file).toInstant().isBefore(before)) {
        Files.deleteIfExists(file);
      }
    }
  }

  private static String name(ColdObject object, int number) {
    String range = object.name().range().toString();
    return (number == 1 ? range : range + "-" + number) + ".flushed";
  }

  /** Whether it was not there before. */
  private static boolean get(Bucket bucket, ColdObject object, Path file) throws IOException {
    if (Files.exists(file) && Files.size(file) == object.bytes()) {
      return false;
    }
    // Another command may get the same file at the same time.
    Path part = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + PART);
    try {
      ColdDownload.get(bucket, object, part);
      Filesystem.real().rename(part, file);
    } finally {
      Files.deleteIfExists(part);
    }
    return true;
  }
}
