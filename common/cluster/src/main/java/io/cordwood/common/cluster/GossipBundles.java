package io.cordwood.common.cluster;

import io.scalecube.cluster.transport.api.Message;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Puts the gossips that a node has for one address at a time into one message. The library sends
 * each piece of news by itself: in each of its rounds all that it spreads, to the same few members.
 *
 * <p>A piece of news goes once: a node that began to spread it spreads it under {@link NewsName} as
 * well, when it hears of it. What goes to one address keeps its order. Belongs to one thread.
 */
final class GossipBundles {
  /** Longer than the library takes for a round, and short beside the time between two. */
  static final int WAIT_MILLIS = 10;

  private final Sending sending;
  private final Consumer<Runnable> later;
  private final Map<String, List<Gossip>> waiting = new LinkedHashMap<>();

  /** Sends a message, and tells how that went. */
  interface Sending {
    void send(String address, Message message, MonoSink<Void> done);
  }

  private record Gossip(Message message, MonoSink<Void> done) {}

  /**
   * @param later runs what it is given after {@link #WAIT_MILLIS}, on the thread of all else
   */
  GossipBundles(Sending sending, Consumer<Runnable> later) {
    this.sending = sending;
    this.later = later;
  }

  /** Sends it at once; a gossip within {@link #WAIT_MILLIS}, with others of this node. */
  void send(String address, Message message, MonoSink<Void> done) {
    if (!MessageKind.GOSSIP.qualifier().equals(message.qualifier())) {
      flush(address);
      sending.send(address, message, done);
      return;
    }
    if (waiting.isEmpty()) {
      later.accept(this::flush);
    }
    List<Gossip> bundle = waiting.computeIfAbsent(address, _ -> new ArrayList<>());
    bundle.add(new Gossip(message, done));
    if (bundle.size() == GossipInput.MOST_GOSSIPS) {
      flush(address);
    }
  }

  /** Sends all that waits. */
  void flush() {
    List.copyOf(waiting.keySet()).forEach(this::flush);
  }

  private void flush(String address) {
    List<Gossip> bundle = waiting.remove(address);
    if (bundle != null) {
      Message message = PeerClasses.bundle(bundle.stream().map(Gossip::message).toList());
      Mono.<Void>create(done -> sending.send(address, message, done))
          .subscribe(
              null,
              failure -> bundle.forEach(gossip -> gossip.done.error(failure)),
              () -> bundle.forEach(gossip -> gossip.done.success()));
    }
  }
}
