package io.cordwood.common.cluster;

import io.cordwood.common.net.HostPort;
import io.micrometer.core.instrument.Counter;
import io.scalecube.cluster.transport.api.Message;
import io.scalecube.cluster.transport.api.MessageCodec;
import io.scalecube.cluster.transport.api.Transport;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A node's end of a {@link MemoryNetwork}. */
final class MemoryTransport implements MemberTransport {
  private final MemoryNetwork network;
  private final String address;
  private final int port;
  private final MessageCodec codec;
  private final Inbox inbox;
  private final GossipBundles bundles;
  private final MemoryNetwork.Links called = new MemoryNetwork.Links();
  private final MemoryNetwork.Links callers = new MemoryNetwork.Links();
  private boolean stopped;

  MemoryTransport(MemoryNetwork network, HostPort address, MessageCodec codec, Counter dropped) {
    this.network = network;
    this.address = address.toString();
    this.port = address.port();
    this.codec = codec;
    inbox = new Inbox(dropped);
    bundles =
        new GossipBundles(
            (to, message, done) -> network.send(this, to, message, done), network::afterBundles);
    network.add(this);
  }

  MessageCodec codec() {
    return codec;
  }

  MemoryNetwork.Links called() {
    return called;
  }

  MemoryNetwork.Links callers() {
    return callers;
  }

  void take(Message message) {
    inbox.take(message);
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public Mono<Transport> start() {
    return Mono.just(this);
  }

  @Override
  public Mono<Void> stop() {
    return Mono.fromRunnable(() -> {
      stopped = true;
      inbox.end();
    });
  }

  @Override
  public boolean isStopped() {
    return stopped;
  }

  @Override
  public Mono<Void> send(String to, Message message) {
    return Mono.create(done -> {
      hear();
      bundles.send(to, message, done);
    });
  }

  @Override
  public Mono<Message> requestResponse(String to, Message request) {
    return inbox.answer(request, send(to, request));
  }

  @Override
  public Flux<Message> listen() {
    return inbox.listen();
  }

  @Override
  public void hear() {
    inbox.open();
  }

  @Override
  public void renew(String to) {
    called.remove(to);
  }
}
