package io.cordwood.ingest.fluent;

import io.cordwood.ingest.Intake;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import io.cordwood.ingest.SenderRights;
import io.cordwood.ingest.push.ContentCodings;
import io.cordwood.ingest.push.PushMetrics;
import io.cordwood.ingest.push.PushSession;
import io.cordwood.ingest.sender.ForeignStart;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection of Fluent Forward: its messages are stored, and acknowledged once they are forced,
 * as many at once as have come. For its thread.
 */
final class ForwardConnection implements AutoCloseable {
  /** The most bytes of one message, or of one record that was packed. */
  static final int MAX_MESSAGE_BYTES = 64 << 20;

  /** So much is stored before it is forced, while more comes without a pause. */
  private static final int MAX_UNFORCED_BYTES = 4 << 20;

  private static final byte[] ACK = {(byte) 0x81, (byte) 0xa3, 'a', 'c', 'k'};

  private final Intake intake;
  private final Socket socket;
  private final BooleanSupplier closing;
  private final SenderRights rights;
  private final PushSession session;
  private final AckedChunks chunks;
  private final PushMetrics metrics;
  private final PackedStream messages;
  private final ForwardEvents events;
  private final DockerParts parts;
  private final InputStream in;
  private final Set<ByteBuffer> storing = new LinkedHashSet<>();
  private final ByteArrayOutputStream acks = new ByteArrayOutputStream();
  private @Nullable Handshake handshake;
  private final long startNanos = System.nanoTime();
  private boolean isKnown;
  private int unforced;
  private int unforcedBytes;
  private boolean isUnforced;

  ForwardConnection(
      Intake intake,
      Socket socket,
      BooleanSupplier closing,
      SenderRights rights,
      PushSession session,
      AckedChunks chunks,
      PushMetrics metrics)
      throws IOException {
    this.intake = intake;
    this.socket = socket;
    this.closing = closing;
    this.rights = rights;
    this.session = session;
    this.chunks = chunks;
    this.metrics = metrics;
    this.in = socket.getInputStream();
    this.events = new ForwardEvents(intake, session.records());
    this.parts = new DockerParts(intake, events);
    this.messages = new PackedStream(this::read, MAX_MESSAGE_BYTES, intake.held());
  }

  /**
   * Reads until the connection ends.
   *
   * @throws RefusedException if a message cannot be taken: all before it are stored, if the disk
   *     takes them
   */
  void run() throws IOException, RefusedException {
    try {
      if (intake.admission().isClosed()) {
        handshake = new Handshake(socket.getOutputStream(), rights);
        handshake.greet();
      }
      while (messages.next()) {
        take();
        if (!messages.hasBegun() || unforcedBytes > MAX_UNFORCED_BYTES) {
          commit();
        }
      }
      end();
    } catch (IOException e) {
      end();
      throw e;
    } catch (RefusedException e) {
      if (e.reason() == RejectReason.CORRUPT || e.reason() == RejectReason.CUT) {
        end();
      }
      throw e;
    }
  }

  private void end() throws IOException, RefusedException {
    if (!parts.isEmpty()) {
      session.records().unkeyed();
      parts.end();
      isUnforced = true;
    }
    commit();
  }

  /** Reads some bytes; the first time, enough to know that they are no preamble. */
  private int read(byte[] into, int at, int length) throws IOException, RefusedException {
    int count = await(into, at, length);
    int read = Math.max(0, count);
    while (!isKnown) {
      isKnown = ForeignStart.isNoPreamble(ForeignStart.of(into, at, at + read), count < 0);
      if (!isKnown) {
        count = await(into, at + read, length - read);
        read += Math.max(0, count);
      }
    }
    return read == 0 ? count : read;
  }

  /** Waits for bytes; meanwhile, what has come is forced. */
  private int await(byte[] into, int at, int length) throws IOException, RefusedException {
    while (true) {
      try {
        int count = in.read(into, at, length);
        session.read(Math.max(0, count), closing);
        return count;
      } catch (SocketTimeoutException e) {
        idle();
        if (closing.getAsBoolean()) {
          return -1;
        }
      }
    }
  }

  private void idle() throws IOException, RefusedException {
    rights.check();
    if (handshake != null
        && System.nanoTime() - startNanos > intake.admission().patience().toNanos()) {
      throw rights.tooLate();
    }
    if (!parts.isEmpty()) {
      session.records().unkeyed();
      parts.look();
      isUnforced = true;
    }
    commit();
  }

  private void take() throws IOException, RefusedException {
    Packed value = messages.value();
    if (handshake != null) {
      handshake.take(value);
      handshake = null;
      return;
    }
    rights.check();
    if (value.copy().next() == Packed.Kind.NIL) {
      return; // A heartbeat of old clients.
    }
    ForwardMessage message = ForwardMessage.of(value);
    byte[] chunk = message.chunk();
    if (chunk == null) {
      session.records().unkeyed();
      store(message);
    } else {
      storeOnce(message, chunk);
      acks.writeBytes(ACK);
      acks.writeBytes(chunk);
    }
    unforced++;
    unforcedBytes += messages.to() - messages.from();
    isUnforced = true;
  }

  private void storeOnce(ForwardMessage message, byte[] chunk)
      throws IOException, RefusedException {
    ByteBuffer hash = hash();
    if (chunks.isStoring(hash)) {
      // By this connection, or by one that may wait for this one.
      commit();
    }
    if (chunks.begin(hash, intake.options().bulk().longestWait())) {
      session.records().keyed(key(chunk, message.tag()));
      boolean isWhole = false;
      try {
        store(message);
        isWhole = true;
        storing.add(hash);
      } finally {
        if (!isWhole) {
          chunks.end(hash, false);
        }
      }
    }
  }

  private static byte[] key(byte[] chunk, String tag) {
    byte[] name = tag.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(chunk.length + name.length).put(chunk).put(name).array();
  }

  private ByteBuffer hash() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(messages.array(), messages.from(), messages.to() - messages.from());
      return ByteBuffer.wrap(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("a JDK without SHA-256", e);
    }
  }

  private void store(ForwardMessage message) throws IOException, RefusedException {
    Packed entries = message.entries();
    switch (message.mode()) {
      case MESSAGE -> event(message, entries);
      case FORWARD -> {
        var _ = entries.next();
        for (int left = entries.length(); left > 0; left--) {
          entry(message, entries);
        }
      }
      case PACKED -> {
        switch (message.compressed()) {
          case "text", "" -> {
            while (entries.hasMore()) {
              entry(message, entries);
            }
          }
          case "gzip", "zstd" -> unpack(message);
          default ->
              throw malformed("compressed gzip, zstd or text, found " + message.compressed());
        }
      }
    }
  }

  private void unpack(ForwardMessage message) throws IOException, RefusedException {
    Packed packed = message.entries();
    var bytes = new ByteArrayInputStream(packed.array(), packed.at(), packed.size());
    try (InputStream unpacked = ContentCodings.unpacked(message.compressed(), bytes);
        var entries = new PackedStream(limited(unpacked), MAX_MESSAGE_BYTES, intake.held())) {
      while (entries.next()) {
        entry(message, entries.value());
      }
    } catch (IOException e) {
      throw malformed("entries packed as " + message.compressed() + ", found " + e.getMessage());
    }
  }

  private PackedStream.Source limited(InputStream unpacked) {
    long most = intake.options().bulk().maxBytes();
    long[] read = {0};
    return (into, at, length) -> {
      int count = unpacked.read(into, at, length);
      read[0] += Math.max(0, count);
      if (read[0] > most) {
        throw malformed("at most " + most + " bytes, unpacked, found more");
      }
      return count;
    };
  }

  private void entry(ForwardMessage message, Packed in) throws RefusedException {
    if (in.next() != Packed.Kind.ARRAY || in.length() != 2) {
      throw malformed("entries of a time and a record, found another value");
    }
    event(message, in);
  }

  private void event(ForwardMessage message, Packed in) throws RefusedException {
    ForwardStamp stamp = ForwardEvents.stamp(in);
    DockerRecord docker = DockerRecord.of(message.tag(), stamp, in);
    if (docker == null) {
      events.add(message.tag(), stamp, in);
      return;
    }
    in.skip();
    String id = docker.partialId();
    // A part that is to be acknowledged has to be stored before the next one comes.
    if (id == null || message.chunk() != null) {
      events.add(docker, null);
    } else {
      parts.add(id, docker);
    }
  }

  private static RefusedException malformed(String what) {
    return new RefusedException(RejectReason.CORRUPT, "expected " + what);
  }

  private void commit() throws IOException, RefusedException {
    if (!isUnforced) {
      return;
    }
    boolean isStored = false;
    try {
      session.commit();
      isStored = true;
    } finally {
      ended(isStored);
    }
    for (; unforced > 0; unforced--) {
      metrics.ended(true);
    }
    socket.getOutputStream().write(acks.toByteArray());
    acks.reset();
    unforcedBytes = 0;
    isUnforced = false;
  }

  private void ended(boolean isStored) {
    storing.forEach(hash -> chunks.end(hash, isStored));
    storing.clear();
  }

  @Override
  public void close() {
    ended(false);
    parts.drop();
    messages.close();
  }
}
