package io.cordwood.common.file;

import io.cordwood.common.file.CrashingFilesystem.Change;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What a disk holds after a loss of power at some point of a {@link CrashingFilesystem}'s log.
 *
 * <p>What must survive: bytes that were forced, and creations, renames and deletions whose folder
 * was forced since. Of everything else any part may survive: {@link Survival} names the choices. A
 * rename itself is never torn, and never undone in half.
 */
public final class PowerLoss {
  /** What becomes of changes that were not forced. */
  public enum Survival {
    /** Neither bytes nor names. */
    NOTHING,
    /** All names, with files that end behind what was forced. */
    NAMES,
    /** All names and lengths, but zeros in place of the bytes. */
    NAMES_AND_ZEROS,
    /** All bytes, under the old names. */
    BYTES,
    /** All, as after a kill of the process. */
    EVERYTHING,
    /** Of each name and each write either or none, or a part of the write, whatever the order. */
    ANY_PART
  }

  private static final class File {
    private byte[] forced = new byte[0];
    private final List<Change> unforced = new ArrayList<>();
  }

  /** Changes names as one creation, rename or deletion does, in whatever state they are. */
  private interface Naming {
    void change(Map<Path, File> names);
  }

  /** For what survives as a whole. */
  private static final SplittableRandom NO_CHOICE = new SplittableRandom(0);

  private final Map<Integer, File> files = new HashMap<>();
  private final Map<Path, File> current = new HashMap<>();
  private final Map<Path, File> durable = new HashMap<>();
  private final Map<Path, List<Naming>> unforced = new HashMap<>();

  private final CrashingFilesystem log;
  private int point;

  /** Power is lost behind so many changes of the log. */
  public PowerLoss(CrashingFilesystem log, int point) {
    this.log = log;
    goOnTo(point);
  }

  /** Power is lost later, behind so many changes; this takes the time of the changes between. */
  public void goOnTo(int later) {
    log.between(point, later).forEach(this::apply);
    point = later;
  }

  private void apply(Change change) {
    switch (change) {
      case Change.Created(int number, Path path) -> {
        File file = new File();
        files.put(number, file);
        name(path, names -> names.put(path, file));
      }
      case Change.Reopened(int number, Path path) -> files.put(number, known(current, path));
      case Change.Written written -> known(files, written.file()).unforced.add(written);
      case Change.Cut cut -> known(files, cut.file()).unforced.add(cut);
      case Change.Forced(int number) -> force(known(files, number));
      case Change.Truncated(Path path, long bytes) -> {
        File file = known(current, path);
        force(file);
        file.forced = Arrays.copyOf(file.forced, (int) bytes);
      }
      case Change.Renamed(Path from, Path to) -> {
        File file = known(current, from);
        name(
            to,
            names -> {
              names.remove(from);
              names.put(to, file);
            });
      }
      case Change.Deleted(Path path) -> name(path, names -> names.remove(path));
      case Change.FolderForced(Path folder) -> {
        List<Naming> forced = unforced.remove(folder);
        if (forced != null) {
          forced.forEach(naming -> naming.change(durable));
        }
      }
    }
  }

  private static <K> File known(Map<K, File> files, K key) {
    File file = files.get(key);
    if (file == null) {
      throw new IllegalStateException("expected a file that was created while logging: " + key);
    }
    return file;
  }

  private static void force(File file) {
    file.forced = content(file, Survival.EVERYTHING, NO_CHOICE);
    file.unforced.clear();
  }

  private void name(Path path, Naming naming) {
    naming.change(current);
    unforced.computeIfAbsent(path.getParent(), _ -> new ArrayList<>()).add(naming);
  }

  /** One such state: the names that are left, and the contents of their files. */
  public Map<Path, ByteBuffer> state(Survival survival, SplittableRandom random) {
    Map<Path, File> names = new HashMap<>(durable);
    for (List<Naming> folder : unforced.values()) {
      folder.stream()
          .filter(_ -> keepsName(survival, random))
          .forEach(naming -> naming.change(names));
    }
    Map<Path, ByteBuffer> state = new HashMap<>();
    names.forEach(
        (path, file) -> state.put(path, ByteBuffer.wrap(content(file, survival, random))));
    return state;
  }

  private static boolean keepsName(Survival survival, SplittableRandom random) {
    return switch (survival) {
      case NOTHING, BYTES -> false;
      case NAMES, NAMES_AND_ZEROS, EVERYTHING -> true;
      case ANY_PART -> random.nextBoolean();
    };
  }

  private static byte[] content(File file, Survival survival, SplittableRandom random) {
    byte[] content = file.forced;
    for (Change change : file.unforced) {
      content =
          switch (change) {
            case Change.Written written -> with(content, written, survival, random);
            case Change.Cut(int _, long bytes) when survives(survival, random) ->
                Arrays.copyOf(content, (int) bytes);
            default -> content;
          };
    }
    return content;
  }

  private static boolean survives(Survival survival, SplittableRandom random) {
    return switch (survival) {
      case NOTHING, NAMES -> false;
      case NAMES_AND_ZEROS, BYTES, EVERYTHING -> true;
      case ANY_PART -> random.nextBoolean();
    };
  }

  private static byte[] with(
      byte[] content, Change.Written written, Survival survival, SplittableRandom random) {
    if (!survives(survival, random)) {
      return content;
    }
    int bytes = written.bytes().length;
    return switch (survival) {
      case NAMES_AND_ZEROS -> with(content, written, 0);
      case ANY_PART -> with(content, written, part(bytes, random));
      default -> with(content, written, bytes);
    };
  }

  private static int part(int bytes, SplittableRandom random) {
    return random.nextBoolean() ? bytes : random.nextInt(bytes + 1);
  }

  /**
   * As long as the whole write makes it, but with the first bytes of it only; behind them are the
   * bytes that were there before, or zeros.
   */
  private static byte[] with(byte[] content, Change.Written written, int bytes) {
    int end = (int) written.offset() + written.bytes().length;
    byte[] longer = Arrays.copyOf(content, Math.max(content.length, end));
    System.arraycopy(written.bytes(), 0, longer, (int) written.offset(), bytes);
    return longer;
  }
}
