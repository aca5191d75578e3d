package io.cordwood.cli.transfer;

import io.cordwood.cli.files.FileRecords;
import io.cordwood.common.wire.Origin;
import io.cordwood.forwarder.Forwarder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A file that is imported. It is read twice: first to see that all of it can be, and what is in it,
 * from which its ULIDs come; then to send it. What cannot be read twice, such as standard input, is
 * read once, and has other ULIDs each time. One thread.
 */
final class ImportFile {
  private static final int STREAM_SHIFT = 16;

  private final String name;
  private final Supplier<TimePattern> patterns;
  private final Instant present;
  private long stream;
  private boolean surveyed;

  ImportFile(String name, Supplier<TimePattern> patterns, Instant present) {
    this.name = name;
    this.patterns = patterns;
    this.present = present;
  }

  /**
   * Reads it and sends nothing, if it can be read twice.
   *
   * @throws IOException if it cannot be imported
   */
  void survey(Consumer<String> complaints) throws IOException {
    if (!name.equals(FileRecords.STANDARD_INPUT) && Files.isRegularFile(Path.of(name))) {
      MessageDigest digest = sha256();
      new TimedLines(name, patterns.get(), present, digesting(digest)).read(complaints);
      stream = streamOf(digest);
      surveyed = true;
    }
  }

  /**
   * Sends it.
   *
   * @return what was sent
   */
  TimedLines send(Forwarder forwarder, Origin origin) throws IOException {
    long id = surveyed ? stream : ThreadLocalRandom.current().nextLong() >>> STREAM_SHIFT;
    var batches = new ImportedBatches(forwarder, origin, id);
    MessageDigest digest = sha256();
    TimedLines.Sink digesting = digesting(digest);
    TimedLines.Sink both =
        (bytes, from, to, millis) -> {
          digesting.take(bytes, from, to, millis);
          batches.take(bytes, from, to, millis);
        };
    var lines = new TimedLines(name, patterns.get(), present, both);
    lines.read(_ -> {});
    batches.finish();
    if (surveyed && streamOf(digest) != stream) {
      throw new IOException(
          name
              + ": expected a file that nobody writes to, found others' lines in it; 'cordwood"
              + " forward --file' follows such a file");
    }
    return lines;
  }

  private static TimedLines.Sink digesting(MessageDigest digest) {
    ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
    return (bytes, from, to, millis) -> {
      digest.update(number.clear().putLong(to - from).flip());
      digest.update(bytes, from, to - from);
    };
  }

  private static long streamOf(MessageDigest digest) {
    return ByteBuffer.wrap(digest.digest()).getLong() >>> STREAM_SHIFT;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JVM has SHA-256", e);
    }
  }
}
