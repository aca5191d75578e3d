package io.cordwood.common.cold;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The names of objects that were listed, in a file that grows until it is read. Not forced: what a
 * loss of power takes is listed again. One thread writes.
 *
 * <pre>
 *   KEY BYTES MILLIS LF    its length, and when it was put by the clock of the bucket
 *   KEY -1 0 LF            it is no object; the last line of a key counts
 * </pre>
 *
 * <p>A last line without LF was torn by the end of a process, and may read as another one: it is
 * left out, and gone before the next one is added.
 */
final class ColdNames {
  private static final Logger LOG = LoggerFactory.getLogger(ColdNames.class);

  private static final char END = '\n';
  private static final String NONE = " -1 0";

  /** Most lines are shorter: it takes one read to find the end of the last one. */
  private static final int MOST_LINE_BYTES = 1024;

  private final Path file;

  public ColdNames(Path file) {
    this.file = file;
  }

  /**
   * All of them; a line that does not read is left out. A file that is mostly other lines is
   * written anew.
   */
  List<ColdObject> read() {
    Map<String, ColdObject> objects = new LinkedHashMap<>();
    try {
      String text = Files.readString(file, StandardCharsets.ISO_8859_1);
      List<String> lines = text.substring(0, text.lastIndexOf(END) + 1).lines().toList();
      lines.forEach(line -> take(line, objects));
      if (lines.size() > 2 * objects.size()) {
        replace(lines(objects.values()));
      }
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException | RuntimeException e) {
      LOG.error(
          "{}: does not read, so what was listed before is not known: {}", file, e.toString());
    }
    return List.copyOf(objects.values());
  }

  private static void take(String line, Map<String, ColdObject> objects) {
    if (line.endsWith(NONE)) {
      objects.remove(line.substring(0, line.length() - NONE.length()));
    }
    parse(line).ifPresent(it -> objects.put(it.name().key(), it));
  }

  private static Optional<ColdObject> parse(String line) {
    String[] words = line.split(" ", -1);
    if (words.length != 3) {
      return Optional.empty();
    }
    try {
      long bytes = Long.parseLong(words[1]);
      Instant uploaded = Instant.ofEpochMilli(Long.parseLong(words[2]));
      return ColdName.parse(words[0])
          .filter(it -> it.tailBytes() <= bytes)
          .map(it -> new ColdObject(it, bytes, uploaded));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Adds some, or what is known of them now. */
  void add(List<ColdObject> objects) {
    append(lines(objects));
  }

  private static String lines(Collection<ColdObject> objects) {
    var text = new StringBuilder();
    for (ColdObject it : objects) {
      text.append(it.name().key()).append(' ').append(it.bytes()).append(' ');
      text.append(it.uploaded().toEpochMilli()).append(END);
    }
    return text.toString();
  }

  private void replace(String text) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(
        next,
        text,
        StandardCharsets.ISO_8859_1,
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.WRITE,
        StandardOpenOption.DSYNC);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Drops some that are no objects. */
  void drop(Set<ColdName> names) {
    append(names.stream().map(it -> it.key() + NONE + END).collect(Collectors.joining()));
  }

  private void append(String text) {
    if (text.isEmpty()) {
      return;
    }
    try (var channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      channel.truncate(wholeLines(channel));
      channel.position(channel.size());
      ByteBuffer bytes = StandardCharsets.ISO_8859_1.encode(text);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      LOG.warn("{}: not written, so a restart forgets what was listed: {}", file, e.toString());
    }
  }

  /** Bytes up to the end of the last line that is whole. */
  private static long wholeLines(FileChannel channel) throws IOException {
    var bytes = ByteBuffer.allocate(MOST_LINE_BYTES);
    long end = channel.size();
    while (end > 0) {
      long start = Math.max(0, end - MOST_LINE_BYTES);
      bytes.clear().limit((int) (end - start));
      while (bytes.hasRemaining() && channel.read(bytes, start + bytes.position()) >= 0) {
        // Goes on.
      }
      for (int at = bytes.position() - 1; at >= 0; at--) {
        if (bytes.get(at) == END) {
          return start + at + 1;
        }
      }
      end = start;
    }
    return 0;
  }
}
