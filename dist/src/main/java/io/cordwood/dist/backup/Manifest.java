package io.cordwood.dist.backup;

import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The list of a backup's files, in its file {@link #NAME}, which is written last: a backup without
 * one was not finished.
 *
 * <pre>
 *   cordwood backup 1
 *   node ULID                 whose data folder it was
 *   began TIME                all that was acknowledged before is in it
 *   file BYTES PATH           one line for each file, the path within the backup
 *   end FILES BYTES
 * </pre>
 */
record Manifest(String node, String began, List<Entry> files) {
  static final String NAME = "BACKUP";

  private static final String HEAD = "cordwood backup 1";

  /** A file, with its size. */
  record Entry(long bytes, String path) {}

  long bytes() {
    return files.stream().mapToLong(Entry::bytes).sum();
  }

  /** Writes it; when this returns, it is forced. */
  void write(Path backup) throws IOException {
    StringBuilder text = new StringBuilder(HEAD + "\nnode " + node + "\nbegan " + began + "\n");
    files.forEach(
        file -> text.append("file ").append(file.bytes).append(' ').append(file.path).append('\n'));
    text.append("end ").append(files.size()).append(' ').append(bytes()).append('\n');
    Path draft = backup.resolve(NAME + ".new");
    Files.writeString(draft, text);
    force(draft);
    Files.move(draft, backup.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
    force(backup);
  }

  static void force(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /**
   * Reads one, and looks whether each of its files is there, with its size.
   *
   * @throws IOException that says what is missing, or where something else was expected
   */
  static Manifest read(Path backup) throws IOException {
    Path file = backup.resolve(NAME);
    try {
      Manifest manifest = parse(file, Files.readAllLines(file, StandardCharsets.UTF_8));
      for (Entry entry : manifest.files) {
        check(backup.resolve(entry.path), entry);
      }
      return manifest;
    } catch (CharacterCodingException e) {
      throw new IOException(
          file + ": expected a backup's list of files, found bytes that are no text", e);
    } catch (NoSuchFileException e) {
      throw new IOException(
          backup
              + ": expected a backup with a file "
              + NAME
              + ", found none: it was not finished, or"
              + " is no backup",
          e);
    }
  }

  private static void check(Path file, Entry entry) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException(file + ": expected a file of the backup, found none");
    }
    if (Files.size(file) != entry.bytes) {
      throw new IOException(
          file + ": expected " + entry.bytes + " bytes, found " + Files.size(file));
    }
  }

  private static Manifest parse(Path file, List<String> lines) throws IOException {
    if (lines.size() < 4 || !lines.get(0).equals(HEAD)) {
      throw new IOException(file + ": expected \"" + HEAD + "\" and more lines, found others");
    }
    List<Entry> files = new ArrayList<>();
    for (int at = 3; at < lines.size() - 1; at++) {
      int line = at + 1;
      files.add(
          entry(lines.get(at))
              .orElseThrow(
                  () -> new IOException(file + " line " + line + ": expected file BYTES PATH")));
    }
    var manifest = new Manifest(after("node ", lines.get(1)), after("began ", lines.get(2)), files);
    String end = "end " + files.size() + " " + manifest.bytes();
    if (!Ulid.isValid(manifest.node) || !lines.getLast().equals(end)) {
      throw new IOException(file + ": expected a node's id and a last line \"" + end + "\"");
    }
    return manifest;
  }

  private static String after(String word, String line) {
    return line.startsWith(word) ? line.substring(word.length()) : "";
  }

  /** Empty if the line is none; a path that leads out of the backup is none. */
  private static Optional<Entry> entry(String line) {
    String[] words = line.split(" ", 3);
    boolean good =
        words.length == 3
            && words[0].equals("file")
            && words[1].matches("[0-9]{1,18}")
            && words[2].matches("[\\w.-]+(/[\\w.-]+)*")
            && !List.of(words[2].split("/")).contains("..");
    return good ? Optional.of(new Entry(Long.parseLong(words[1]), words[2])) : Optional.empty();
  }
}
