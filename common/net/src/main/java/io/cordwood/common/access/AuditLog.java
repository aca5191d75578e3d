package io.cordwood.common.access;

import io.cordwood.common.file.FileTrouble;
import io.cordwood.common.file.SharedFile;
import io.cordwood.common.json.Json;
import io.cordwood.common.run.RateLimitedLog;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A record of requests and refusals: a file with a JSON object a line, which its owner alone may
 * read unless a group is let. A file that is full becomes {@code FILE.1}, that one {@code FILE.2},
 * and so on; the last one goes. Lines are written at once and not forced. What cannot be written is
 * counted, and nothing waits for it.
 *
 * <p>Of refusals some lines are written a second; the next line says how many were left out, so
 * that nobody fills a disk by being refused. Safe for all threads, which may block on the disk.
 */
public final class AuditLog implements AutoCloseable {
  /** Writes nothing. */
  public static final AuditLog NONE = new AuditLog();

  static final int REFUSALS_A_SECOND = 10;
  private static final long MAX_BYTES = 64 << 20;
  private static final int OLD_FILES = 4;
  private static final int MAX_TEXT = 4096;
  private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();
  private static final Logger log = LoggerFactory.getLogger(AuditLog.class);
  private static final RateLimitedLog failures = new RateLimitedLog(log);

  private final @Nullable Path file;
  private final long maxBytes;
  private final InstantSource clock;
  private final @Nullable Counter lost;
  private final Object counting = new Object();
  private @Nullable FileChannel channel;
  private boolean closed;
  private long secondNanos;
  private int refusals;
  private long leftOut;

  /**
   * An entry of the log.
   *
   * @param token by its name; a hyphen for nobody's
   * @param address of who asked
   * @param what the method and path, or the port
   * @param detail parameters, or why it was refused
   * @param outcome an HTTP status, or {@code refused}
   */
  public record Entry(
      String token,
      String address,
      String what,
      String detail,
      String outcome,
      Duration took,
      long records,
      long bytes) {}

  private AuditLog() {
    this.file = null;
    this.maxBytes = 0;
    this.clock = InstantSource.system();
    this.lost = null;
  }

  AuditLog(Path file, long maxBytes, InstantSource clock, MeterRegistry registry)
      throws IOException {
    this.file = file;
    this.maxBytes = maxBytes;
    this.clock = clock;
    this.lost = registry.counter("cordwood_audit_lost_total");
    this.secondNanos = System.nanoTime();
    closeToOthers(file);
    for (int old = 1; old <= OLD_FILES; old++) {
      closeToOthers(numbered(file, old));
    }
    this.channel = open(file);
  }

  /** Versions before this one made it readable by all. */
  private static void closeToOthers(Path file) {
    try {
      if (Files.isRegularFile(file) && SharedFile.isOpenToOthers(file)) {
        Files.setPosixFilePermissions(file, SharedFile.OWNER_ONLY);
        log.info("{} was open to all users of this machine, and is no more", file);
      }
    } catch (IOException e) {
      log.warn("{} is open to all users of this machine: {}", file, FileTrouble.explain(e));
    }
  }

  /**
   * Writes on at the end of a file.
   *
   * @throws IOException if it cannot be written
   */
  public static AuditLog of(Path file, InstantSource clock, MeterRegistry registry)
      throws IOException {
    return new AuditLog(file, MAX_BYTES, clock, registry);
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
        SharedFile.onlyOwner(file));
  }

  /** Whether anything is written at all. */
  public boolean isOn() {
    return file != null;
  }

  /** Enters what somebody has asked for. */
  public synchronized void asked(Entry entry) {
    write(entry);
  }

  /** Enters what somebody was refused, or counts it. Never waits: event loops call it. */
  public void refused(Entry entry) {
    if (isOn() && mayBeWritten()) {
      var _ = Thread.ofVirtual().name("audit").start(() -> asked(entry));
    }
  }

  private boolean mayBeWritten() {
    synchronized (counting) {
      long now = System.nanoTime();
      if (now - secondNanos >= SECOND_NANOS) {
        secondNanos = now;
        refusals = 0;
      }
      boolean may = refusals < REFUSALS_A_SECOND;
      refusals += may ? 1 : 0;
      leftOut += may ? 0 : 1;
      return may;
    }
  }

  private long takeLeftOut() {
    synchronized (counting) {
      long taken = leftOut;
      leftOut = 0;
      return taken;
    }
  }

  private void write(Entry entry) {
    Path into = file;
    if (into == null) {
      return;
    }
    try {
      if (closed) {
        throw new IOException("it is closed");
      }
      FileChannel open = channel;
      if (open == null || open.size() >= maxBytes) {
        open = rotated(into);
      }
      ByteBuffer line = ByteBuffer.wrap(line(entry));
      while (line.hasRemaining()) {
        open.write(line);
      }
    } catch (IOException e) {
      if (lost != null) {
        lost.increment();
      }
      failures.warn("cannot write to", into, e);
    }
  }

  private FileChannel rotated(Path into) throws IOException {
    closeChannel();
    if (Files.exists(into) && Files.size(into) >= maxBytes) {
      for (int old = OLD_FILES; old > 0; old--) {
        Path from = old == 1 ? into : numbered(into, old - 1);
        if (Files.exists(from)) {
          Files.move(from, numbered(into, old), StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
    FileChannel fresh = open(into);
    channel = fresh;
    return fresh;
  }

  private static Path numbered(Path file, int number) {
    return file.resolveSibling(file.getFileName() + "." + number);
  }

  private byte[] line(Entry entry) {
    var bytes = new ByteArrayOutputStream();
    Json.writeLine(
        bytes,
        json -> {
          json.writeStringProperty("time", clock.instant().toString());
          json.writeStringProperty("token", entry.token);
          json.writeStringProperty("address", entry.address);
          json.writeStringProperty("what", cut(entry.what));
          json.writeStringProperty("detail", cut(entry.detail));
          json.writeStringProperty("outcome", entry.outcome);
          json.writeNumberProperty("millis", entry.took.toMillis());
          json.writeNumberProperty("records", entry.records);
          json.writeNumberProperty("bytes", entry.bytes);
          long missing = takeLeftOut();
          if (missing > 0) {
            json.writeNumberProperty("refusals_left_out", missing);
          }
        });
    return bytes.toByteArray();
  }

  private static String cut(String text) {
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…";
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    closeChannel();
  }

  private void closeChannel() throws IOException {
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      open.close();
    }
  }
}
