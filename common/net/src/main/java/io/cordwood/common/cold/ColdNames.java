package io.cordwood.common.cold;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The names of objects that were listed, in a file that only grows. Not forced: what a loss of
 * power takes is listed again. One thread writes.
 *
 * <pre>
 *   KEY BYTES MILLIS LF    its length, and when it was put by the clock of the bucket
 * </pre>
 */
public final class ColdNames {
  private static final Logger LOG = LoggerFactory.getLogger(ColdNames.class);

  private final Path file;

  public ColdNames(Path file) {
    this.file = file;
  }

  /** All of them; a line that does not read is left out. */
  List<ColdObject> read() {
    List<ColdObject> objects = new ArrayList<>();
    try (var lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
      lines.forEach(line -> parse(line).ifPresent(objects::add));
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException | RuntimeException e) {
      LOG.error(
          "{}: does not read, so what was listed before is not known: {}", file, e.toString());
    }
    return objects;
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

  /** Adds some. */
  void add(List<ColdObject> objects) {
    if (objects.isEmpty()) {
      return;
    }
    var text = new StringBuilder();
    for (ColdObject it : objects) {
      text.append(it.name().key()).append(' ').append(it.bytes()).append(' ');
      text.append(it.uploaded().toEpochMilli()).append('\n');
    }
    try {
      Files.writeString(
          file,
          text,
          StandardCharsets.ISO_8859_1,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      LOG.warn("{}: not written, so a restart forgets what was listed: {}", file, e.toString());
    }
  }
}
