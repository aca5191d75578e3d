package io.cordwood.forwarder;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The forwarder's one thread: connects to a target, moves batches from the queue to it and
 * acknowledgements back, and goes on to the next target when that fails. In bulk mode it connects
 * when there is an upload, and to the same target again after each that is acknowledged. It waits
 * in its selector only, with a deadline if something has one. Nobody interrupts it and nobody waits
 * for it: it is told to stop by a flag.
 */
final class Sender implements Runnable {
  private final RecordQueue queue;
  private final Selector selector;
  private final ForwarderListener listener;
  private final Connector connector;
  private final Backoff backoff;
  private final LearnedNodes learned = new LearnedNodes(System::nanoTime);
  private final Route route;
  private final ConnectionMigration standby;
  private final ForwarderOptions options;
  private final NodeClock clock;
  private volatile boolean stopped;
  private @Nullable SocketAddress peer;

  /** Targets that refused for good, one after the other. */
  private final Set<Target> refusing = new HashSet<>();

  private boolean hasWorked;
  private boolean toldOfLabels;

  /** The most of an upload; less than was asked for once a node has refused that. */
  private int uploadBytes;

  Sender(
      ForwarderOptions options,
      RecordQueue queue,
      NodeClock clock,
      Selector selector,
      NameResolver resolver,
      ForwarderListener listener) {
    this.clock = clock;
    this.options = options;
    this.queue = queue;
    this.uploadBytes = options.memory().uploadBytes();
    this.selector = selector;
    this.listener = listener;
    this.route = new Route(options.to().targets(), learned, Greeting.Features.by(options));
    this.standby =
        new ConnectionMigration(
            options,
            resolver,
            learned,
            clock::tell,
            selector::wakeup,
            target -> queue.count(counters -> counters.ignoredHints++));
    this.backoff = new Backoff(options.times().minBackoff(), options.times().maxBackoff());
    long timeoutMillis = options.times().connectTimeout().toMillis();
    this.connector =
        new Connector(selector, resolver, timeoutMillis, options.to().tls(), () -> stopped);
  }

  /** Ends the thread soon. What it has not sent stays where it is. */
  void stop() {
    stopped = true;
    selector.wakeup();
  }

  @Override
  public void run() {
    try (selector) {
      while (awaitUpload()) {
        MigrationConnection.Made made = standby.take();
        pause(made == null ? attempt(route.next()) : goOn(made));
      }
    } catch (IOException | RuntimeException | Error e) {
      // The selector has failed, or this program has a defect; the queue is given up below.
      tell(l -> l.failed(e.toString()));
    } finally {
      standby.close();
      queue.abandon();
      tellOfSpool();
    }
  }

  private Duration attempt(Target target) {
    Connector.Connected connected;
    try {
      connected = connector.connect(target);
    } catch (IOException | RuntimeException e) {
      Duration pause = failed(target);
      tell(l -> l.connectFailed(target, reason(e), pause));
      Refusal refusal = Refusal.ofConnecting(e);
      if (refusal != null) {
        queue.refused(refusal);
      }
      judge(target, refusal, e);
      return pause;
    }
    Greeting greeting = Greeting.of(target, options, route.features(target));
    if (!greeting.features().clock()) {
      clock.cannotBeTold();
    }
    return serve(
        Connection.Begun.greeting(
            target, connected, greeting, millis -> tellClock(target, millis)));
  }

  private void tellClock(Target target, long millis) {
    long aheadMillis = clock.tell(millis);
    if (aheadMillis != 0) {
      tell(l -> l.clockIsOff(target, Duration.ofMillis(aheadMillis)));
    }
  }

  /** Uses the connection to a less loaded node from now on. */
  private Duration goOn(MigrationConnection.Made made) throws IOException {
    SocketAddress from = peer;
    SelectionKey key = made.channel().register(selector, SelectionKey.OP_READ);
    queue.count(counters -> counters.moves++);
    SocketAddress to = made.channel().socket().getRemoteSocketAddress();
    if (from != null) {
      tell(l -> l.moved(from, to));
    }
    var connected = new Connector.Connected(key, made.wire());
    return serve(
        new Connection.Begun(made.target(), connected, null, made.answers(), made.told(), true));
  }

  private Duration serve(Connection.Begun begun) {
    Target target = begun.target();
    AdvertisedNodes told = begun.told();
    SocketAddress to =
        ((SocketChannel) begun.connected().key().channel()).socket().getRemoteSocketAddress();
    peer = to;
    long began = System.nanoTime();
    queue.connected();
    tell(l -> l.connected(to));
    long oldNanos = began + ageNanos(options.times().maxConnectionAge());
    var connection = new Connection(begun, to, queue, options, uploadBytes, oldNanos);
    try (connection) {
      move(connection, target, told);
      refusing.clear();
      hasWorked |= connection.hasAcknowledged();
      worked(target);
      route.left(
          target, options.memory().uploadBytes() > 0 || (told != null && told.self() != null));
      return Duration.ZERO;
    } catch (IOException | RuntimeException e) {
      long healthyNanos = options.times().maxBackoff().toNanos();
      hasWorked |= connection.hasAcknowledged();
      if (connection.hasAcknowledged() || System.nanoTime() - began > healthyNanos) {
        worked(target);
      }
      return lost(begun, connection, e);
    }
  }

  /** For how long to pause. */
  private Duration lost(Connection.Begun begun, Connection connection, Exception why) {
    SocketAddress peer = connection.peer();
    Target target = begun.target();
    AdvertisedNodes told = begun.told();
    long records = queue.takeBack();
    Refusal refusal = connection.refusal(why, queue.firstOrigin());
    if (refusal != null && refusal.asksForLess()) {
      uploadBytes = Math.min(uploadBytes, refusal.mostBytes());
    }
    if (refusal != null && queue.refused(refusal)) {
      uploadBytes =
          refusal.reason() == RefusalReason.SIZE ? uploadBytes : options.memory().uploadBytes();
      tell(l -> l.topicRefused(peer, String.valueOf(refusal.origin()), reason(why)));
      worked(target);
      route.failed(target); // Another one may take the topic.
      return Duration.ZERO;
    }
    tell(l -> l.disconnected(peer, reason(why), records));
    judge(target, refusal, why);
    route.refused(target, String.valueOf(why.getMessage()));
    if (told != null) {
      followRefusal(told);
    }
    return failed(target);
  }

  private void worked(Target target) {
    backoff.reset();
    route.worked(target);
  }

  /** A node that refuses may say where else to go. */
  private void followRefusal(AdvertisedNodes told) {
    learn(told);
    AdvertisedNodes.Other to = told.takeGo();
    if (to != null) {
      route.prefer(to.address());
    }
  }

  private void learn(AdvertisedNodes told) {
    long ignored = learned.learn(told.takeNews()) + told.takeIgnored();
    if (ignored > 0) {
      queue.count(counters -> counters.ignoredHints += ignored);
    }
  }

  private void judge(Target target, @Nullable Refusal refusal, Exception why) {
    if (refusal == null || !refusal.isFinal()) {
      refusing.clear();
      return;
    }
    refusing.add(target);
    if (refusing.containsAll(options.to().targets())) {
      refusing.clear();
      if (!isLeftInSpool(refusal.origin(), reason(why))) {
        tell(l -> l.refusedByAll(reason(why), hasWorked));
      }
    }
  }

  private boolean isLeftInSpool(@Nullable RefusedOrigin origin, String reason) {
    return origin != null
        && queue.hasSpool()
        && queue.exchanged(exchange -> exchange.leave(origin, reason));
  }

  /** For how long a connection may be used, a fifth more or less than was asked for. */
  static long ageNanos(Duration asked) {
    long nanos = asked.toNanos();
    double share = ThreadLocalRandom.current().nextDouble(0.8, 1.2);
    return nanos == 0 ? Long.MAX_VALUE >> 1 : (long) (nanos * share);
  }

  /** Goes on to the next target; for how long to pause before. */
  private Duration failed(Target target) {
    return route.failed(target) ? backoff.pause() : Duration.ZERO;
  }

  /** An I/O error's message says enough; of any other fault its class is worth knowing. */
  private static String reason(Exception e) {
    String message = e instanceof IOException ? e.getMessage() : null;
    return message == null ? e.toString() : message;
  }

  private void move(Connection connection, Target target, @Nullable AdvertisedNodes told)
      throws IOException {
    while (!stopped) {
      boolean waitsForRecords = connection.write();
      tellOfLabels(connection, target);
      if (connection.isDone()) {
        return;
      }
      long lingerNanos = waitsForRecords ? queue.lingerNanos() : Long.MAX_VALUE;
      select(Math.min(connection.ackLeftNanos(), lingerNanos));
      connection.read();
      if (told != null) {
        learn(told);
        if (standby.look(told, target)) {
          connection.leave();
        }
      }
    }
  }

  private void tellOfLabels(Connection connection, Target target) {
    if (!toldOfLabels && connection.hasLeftLabelsOut()) {
      toldOfLabels = true;
      tell(l -> l.labelsLeftOut(target));
    }
  }

  /** Waits until a connection is worth making; false when the thread is to end instead. */
  private boolean awaitUpload() throws IOException {
    for (long left = queue.idleNanos(); left > 0 && !stopped; left = queue.idleNanos()) {
      select(left);
    }
    return !stopped;
  }

  /** Waits for the socket, a wake-up, or the time to pass; at least until the next millisecond. */
  private void select(long mostNanos) throws IOException {
    tellDrops();
    long nanos = Math.min(mostNanos, queue.tellLeftNanos());
    if (nanos == Long.MAX_VALUE) {
      selector.select();
    } else {
      selector.select(TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
    }
    selector.selectedKeys().clear();
  }

  private void tellDrops() {
    ForwarderCounters counters = queue.dropsToTell();
    if (counters != null) {
      tell(l -> l.dropped(counters));
    }
    tellOfSpool();
  }

  private void tellOfSpool() {
    String next = queue.spoolComplaint();
    while (next != null) {
      String complaint = next;
      tell(l -> l.spoolFailed(complaint));
      next = queue.spoolComplaint();
    }
  }

  private void pause(Duration pause) throws IOException {
    selector.selectNow(); // lets the closed channel go
    long deadline = System.nanoTime() + pause.toNanos();
    for (long left = pause.toNanos(); left > 0 && !stopped; left = deadline - System.nanoTime()) {
      select(left);
    }
  }

  private void tell(Consumer<ForwarderListener> event) {
    try {
      event.accept(listener);
    } catch (RuntimeException e) {
      // A listener's fault must not end the forwarding, and there is nobody else to tell.
    }
  }
}
