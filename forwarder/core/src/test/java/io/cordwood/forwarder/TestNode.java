package io.cordwood.forwarder;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** A hostile ingest node on a real socket. It parses strictly and behaves as a test says. */
public final class TestNode implements AutoCloseable {
  /** How a node answers batches. */
  public enum Behaviour {
    /** Each batch at once. */
    ACK,
    /** Not at all, but it reads. */
    SILENT,
    /** It accepts and never reads. */
    DEAF,
    /** With something that is no acknowledgement. */
    GARBAGE,
    /** With more than was sent. */
    TOO_MUCH,
    /** With a refusal. */
    REFUSE,
    /** With an acknowledgement and a refusal at once. */
    ACK_AND_REFUSE,
    /** With the beginning of a line, and the end of the connection. */
    LEAVE,
    /** It reads on, and acknowledges when {@link #release} is called. */
    LATE,
    /** All of them, at the sender's end, as a bulk port does. */
    ACK_AT_END,
    /** As a version that knows of no hints: it refuses who asks for them. */
    WITHOUT_HINTS,
    /** As a version that tells no time: it refuses who asks for that. */
    WITHOUT_CLOCK,
    /** As a version that knows no labels: it refuses who announces them. */
    WITHOUT_LABELS
  }

  private static final Set<Behaviour> OF_BEFORE_LABELS =
      EnumSet.of(Behaviour.WITHOUT_HINTS, Behaviour.WITHOUT_CLOCK, Behaviour.WITHOUT_LABELS);

  private static final Set<Behaviour> LEAVING =
      EnumSet.of(Behaviour.REFUSE, Behaviour.ACK_AND_REFUSE, Behaviour.LEAVE);

  private static final String PREAMBLE = "CORDWOOD/1 ";

  /** Bound to the ports of nodes for as long as this process is there. */
  private static final Map<Integer, Socket> RESERVED = new ConcurrentHashMap<>();

  private final ServerSocket server;
  private final Archive archive;
  private final Thread acceptor;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final CountDownLatch released = new CountDownLatch(1);
  final List<Throwable> faults = new CopyOnWriteArrayList<>();
  public volatile Behaviour behaviour = Behaviour.ACK;
  public volatile LongSupplier lifeBytes = () -> Long.MAX_VALUE;
  public final AtomicInteger connections = new AtomicInteger();

  /** Said to a sender that asks for hints, at first and with each acknowledgement. */
  volatile String hints = "";

  volatile String laterHints = "";

  /** What it says of batches of a topic, or a topic with labels, instead of taking them. */
  final Map<String, String> refusals = new ConcurrentHashMap<>();

  /** The most bytes of an upload, its first line counted. */
  volatile int mostUploadBytes = Integer.MAX_VALUE;

  /** The time that it says it is. */
  volatile LongSupplier clock = System::currentTimeMillis;

  /** How many asked for them. */
  final AtomicInteger asked = new AtomicInteger();

  /** Bytes of each upload that was read to its end. */
  final List<Integer> uploads = new CopyOnWriteArrayList<>();

  public TestNode(Archive archive) throws IOException {
    this(archive, 0);
  }

  public TestNode(Archive archive, int port) throws IOException {
    this(archive, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  TestNode(Archive archive, InetAddress address) throws IOException {
    this(archive, new InetSocketAddress(address, 0));
  }

  private TestNode(Archive archive, InetSocketAddress address) throws IOException {
    this(archive, address, new ServerSocket());
  }

  /** One that listens otherwise than in plain text. */
  TestNode(Archive archive, InetSocketAddress address, ServerSocket server) throws IOException {
    this.archive = archive;
    this.server = server;
    server.setReuseAddress(true);
    server.bind(address.getPort() == 0 ? reserved(address.getAddress()) : address);
    acceptor = daemon(this::accept);
  }

  /**
   * An address that no other process gets while a node is down that is started there again. Linux
   * lets one socket listen on a port beside others that are bound to it and do not.
   */
  private static InetSocketAddress reserved(InetAddress address) throws IOException {
    var socket = new Socket();
    socket.setReuseAddress(true);
    socket.bind(new InetSocketAddress(address, 0));
    RESERVED.put(socket.getLocalPort(), socket);
    return new InetSocketAddress(address, socket.getLocalPort());
  }

  public TestNode behaviour(Behaviour value) {
    behaviour = value;
    return this;
  }

  public int port() {
    return server.getLocalPort();
  }

  public Target target() {
    return new Target("127.0.0.1", port());
  }

  /** Connections that are open now. */
  public int open() {
    return sockets.size();
  }

  public void release() {
    released.countDown();
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "test-node");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        connections.incrementAndGet();
        sockets.add(socket);
        daemon(() -> serve(socket));
      }
    } catch (IOException e) {
      // Closed: this node is down.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream mortal = new Mortal(socket.getInputStream(), lifeBytes.getAsLong());
      DataInputStream in = new DataInputStream(new BufferedInputStream(mortal, 1 << 16));
      converse(socket, in);
    } catch (ReceivedBatch.Cut e) {
      // The kill that the test asked for.
    } catch (IOException e) {
      // The forwarder or close() ended it; what was lost shows in the archive.
    } catch (AssertionError | InterruptedException e) {
      faults.add(e);
    } finally {
      sockets.remove(socket);
    }
  }

  private void converse(Socket socket, DataInputStream in)
      throws IOException, InterruptedException {
    if (behaviour == Behaviour.DEAF) {
      released.await();
    }
    boolean hinted = greet(socket, in);
    long records = 0;
    int bytes = 0;
    for (ReceivedBatch batch = ReceivedBatch.read(in);
        batch != null;
        batch = ReceivedBatch.read(in)) {
      String refusal =
          refusals.getOrDefault(
              batch.topic,
              refusals.get(batch.topic + (batch.labels.isEmpty() ? "\n" : batch.labels)));
      if (bytes + batch.raw.length > mostUploadBytes) {
        refusal = "expected an upload of at most " + mostUploadBytes + " bytes, found more";
      }
      if (refusal != null) {
        write(socket, "error: " + refusal + "\n");
        throw new ReceivedBatch.Cut();
      }
      if (!batch.labels.isEmpty() && OF_BEFORE_LABELS.contains(behaviour)) {
        throw new AssertionError("bad batch: labels");
      }
      if (behaviour != Behaviour.REFUSE) {
        archive.add(batch);
      }
      records += batch.count;
      bytes += batch.raw.length;
      answer(socket, hinted ? laterHints : "", records);
    }
    if (behaviour == Behaviour.ACK_AT_END) {
      uploads.add(bytes);
      write(socket, "wait: not yet\nack " + records + "\n");
    }
  }

  /** Batches may come after a first line. */
  private boolean greet(Socket socket, DataInputStream in) throws IOException {
    in.mark(PREAMBLE.length());
    byte[] start = in.readNBytes(PREAMBLE.length());
    if (!new String(start, US_ASCII).equals(PREAMBLE)) {
      in.reset();
      return false;
    }
    var line = new StringBuilder();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      line.append((char) next);
    }
    boolean forHints = line.indexOf("hints=1") >= 0;
    boolean forClock = line.indexOf("clock=1") >= 0;
    asked.addAndGet(forHints ? 1 : 0);
    refuse(socket, forHints && behaviour == Behaviour.WITHOUT_HINTS, "hints=1");
    refuse(socket, forClock && behaviour == Behaviour.WITHOUT_CLOCK, "clock=1");
    boolean announcesLabels = line.indexOf("labels=1") >= 0;
    refuse(socket, announcesLabels && OF_BEFORE_LABELS.contains(behaviour), "labels=1");
    String time = forClock ? "clock " + clock.getAsLong() + "\n" : "";
    write(socket, time + (forHints ? hints : ""));
    return forHints;
  }

  private static void refuse(Socket socket, boolean refuses, String word) throws IOException {
    if (refuses) {
      write(socket, "error: in the preamble: expected topic=NAME, found \"" + word + "\"\n");
      throw new ReceivedBatch.Cut();
    }
  }

  private void answer(Socket socket, String told, long records)
      throws IOException, InterruptedException {
    Behaviour now = behaviour;
    String text =
        switch (now) {
          case ACK, DEAF, WITHOUT_HINTS, WITHOUT_CLOCK, WITHOUT_LABELS -> "ack " + records + "\n";
          case SILENT, ACK_AT_END -> "";
          case GARBAGE -> "HTTP/1.1 400 Bad Request\r\n";
          case TOO_MUCH -> "ack " + (records + 1) + "\n";
          case REFUSE -> "error: no\u0007 thanks\n";
          case ACK_AND_REFUSE -> "ack " + records + "\nerror: no more\n";
          case LEAVE -> "see you";
          case LATE -> {
            released.await();
            yield "ack " + records + "\n";
          }
        };
    write(socket, told + text);
    if (LEAVING.contains(now)) {
      throw new ReceivedBatch.Cut();
    }
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(US_ASCII));
  }

  /** As a crash does: the port refuses, and connections are gone. */
  @Override
  public void close() throws IOException {
    server.close();
    try {
      acceptor.join(); // as long as it is in the kernel, the port is taken, and it may accept one
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted while the node closes");
    }
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  /** Passes so many bytes on, then dies. */
  private static final class Mortal extends FilterInputStream {
    private long left;

    Mortal(InputStream in, long left) {
      super(in);
      this.left = left;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (left == 0) {
        throw new ReceivedBatch.Cut();
      }
      int count = super.read(bytes, offset, (int) Math.min(length, left));
      left -= Math.max(count, 0);
      return count;
    }
  }
}
