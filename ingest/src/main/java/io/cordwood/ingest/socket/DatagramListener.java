package io.cordwood.ingest.socket;

import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.ingest.IngestMetrics;
import io.cordwood.ingest.Intake;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port of a protocol over UDP, with a thread of its own. What comes while that is busy waits in
 * the socket's buffer; what the kernel drops since it is full is counted.
 */
public final class DatagramListener implements ForeignPort {
  private static final Logger LOG = LoggerFactory.getLogger(DatagramListener.class);
  private static final RateLimitedLog FAILURES = new RateLimitedLog(LOG);

  /** The kernel gives as much as it allows ({@code net.core.rmem_max}). */
  private static final int BUFFER_BYTES = 4 << 20;

  private static final int MAX_BYTES = 64 << 10;
  private static final int QUIET_MILLIS = 20;
  private static final int TICK_MILLIS = 250;

  private final String protocol;
  private final Intake intake;
  private final Receiver receiver;
  private final DatagramSocket socket;
  private final KernelDrops drops;
  private final Counter received;
  private final Counter lost;
  private long nextLookNanos = System.nanoTime();
  private final CountDownLatch ended = new CountDownLatch(1);
  private boolean started;
  private volatile boolean closing;
  private volatile long drainEndNanos;

  /** Takes datagrams. For one thread. */
  public interface Receiver extends AutoCloseable {
    /** Takes one; its bytes are not needed any more when this returns. */
    void take(byte[] bytes, int length, InetAddress sender);

    /** Nothing has come for a moment. */
    void pause();

    /** Whether a pause has nothing to do. */
    boolean isIdle();

    /** No more will come. */
    @Override
    void close();
  }

  private DatagramListener(
      String protocol, DatagramSocket socket, Intake intake, Receiver receiver) {
    this.protocol = protocol;
    this.intake = intake;
    this.receiver = receiver;
    this.socket = socket;
    this.drops = new KernelDrops(socket.getLocalPort());
    this.received = counter("received", protocol, intake.metrics().registry);
    this.lost = counter("lost", protocol, intake.metrics().registry);
  }

  private static Counter counter(String what, String protocol, MeterRegistry registry) {
    return registry.counter(
        IngestMetrics.PREFIX + "datagrams_" + what + "_total", "protocol", protocol);
  }

  /** Shows the metrics of a protocol whose port may not be open. */
  public static void showMetrics(String protocol, MeterRegistry registry) {
    var _ = counter("received", protocol, registry);
    var _ = counter("lost", protocol, registry);
  }

  /**
   * Listens; what is sent from now on waits for {@link #startAccepting}.
   *
   * @param protocol for messages and metrics
   * @param port not 0
   * @throws IOException naming the address, the port and the flag, if it cannot listen there
   */
  public static DatagramListener start(
      String protocol, int port, String flag, Intake intake, Receiver receiver) throws IOException {
    String bind = intake.options().listening().bind();
    try {
      var socket = new DatagramSocket(new InetSocketAddress(InetAddress.getByName(bind), port));
      socket.setReceiveBufferSize(BUFFER_BYTES);
      return new DatagramListener(protocol, socket, intake, receiver);
    } catch (IOException e) {
      throw new IOException(
          "cannot listen on %s port %d over UDP for %s (%s): %s"
              .formatted(bind, port, protocol, flag, e.getMessage()),
          e);
    }
  }

  @Override
  public String protocol() {
    return protocol;
  }

  @Override
  public int port() {
    return socket.getLocalPort();
  }

  @Override
  public void startAccepting() {
    started = true;
    Thread.ofPlatform().daemon().name("ingest-" + protocol + "-udp").start(this::run);
  }

  private void run() {
    try (socket;
        receiver) {
      byte[] bytes = new byte[MAX_BYTES];
      while (receive(bytes)) {
        countLost(false);
      }
      countLost(true);
    } catch (IOException e) {
      LOG.error("{} over UDP is not received any more", protocol, e);
    } finally {
      ended.countDown();
    }
  }

  /** Returns false once all that had come before the end has been taken. */
  private boolean receive(byte[] bytes) throws IOException {
    var packet = new DatagramPacket(bytes, bytes.length);
    socket.setSoTimeout(receiver.isIdle() ? TICK_MILLIS : QUIET_MILLIS);
    try {
      socket.receive(packet);
      received.increment();
      receiver.take(bytes, packet.getLength(), packet.getAddress());
      return !closing || System.nanoTime() - drainEndNanos < 0;
    } catch (SocketTimeoutException e) {
      receiver.pause();
      return !closing;
    } catch (RuntimeException e) {
      FAILURES.error("dropped a datagram of", packet.getSocketAddress(), e);
      return true;
    }
  }

  /** Once a second is enough. */
  private void countLost(boolean now) {
    if (now || System.nanoTime() - nextLookNanos >= 0) {
      lost.increment((double) drops.more());
      nextLookNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
    }
  }

  @Override
  public void stopAccepting() {
    if (!closing) {
      drainEndNanos = System.nanoTime() + intake.options().limits().drain().toNanos();
      closing = true;
    }
  }

  @Override
  public void close() {
    stopAccepting();
    if (!started) {
      receiver.close();
      socket.close();
      return;
    }
    try {
      long left = drainEndNanos - System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
      if (!ended.await(left, TimeUnit.NANOSECONDS)) {
        LOG.warn("{} over UDP: what came last is not stored yet", protocol);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
