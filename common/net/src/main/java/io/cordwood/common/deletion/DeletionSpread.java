package io.cordwood.common.deletion;

import io.cordwood.common.run.Threads;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Tells all other nodes what is deleted. For all threads. */
public final class DeletionSpread {
  private static final String AWAY = "it is away, and asks when it is back";

  private final DeletionExchange exchange;
  private final Supplier<List<Member>> others;

  /**
   * Another node, or one that was there.
   *
   * @param name for people
   * @param address empty if it is away
   * @param isAble whether it is of a version that leaves out what is deleted
   */
  public record Member(String name, Optional<URI> address, boolean isAble) {}

  /**
   * A node that was told.
   *
   * @param trouble why it is not certain that the node knows; empty if it does
   */
  public record Told(String name, Optional<String> trouble) {}

  /**
   * Tells some.
   *
   * @param others all that this node knows of, without itself
   */
  public DeletionSpread(DeletionExchange exchange, Supplier<List<Member>> others) {
    this.exchange = exchange;
    this.others = others;
  }

  /** The nodes that would go on showing what is deleted. */
  public List<String> unable() {
    return others.get().stream().filter(it -> !it.isAble).map(Member::name).toList();
  }

  /** Tells them all at once, and waits for their answers. */
  public List<Told> tell() {
    List<Member> members = others.get();
    Map<Member, Told> told = new ConcurrentHashMap<>();
    List<Thread> calls = new ArrayList<>();
    for (Member member : members) {
      calls.add(Thread.ofVirtual().name("deletion").start(() -> told.put(member, tell(member))));
    }
    calls.forEach(Threads::join);
    return members.stream()
        .map(it -> told.getOrDefault(it, new Told(it.name, Optional.of("it could not be called"))))
        .toList();
  }

  private Told tell(Member member) {
    if (member.address.isEmpty()) {
      return new Told(member.name, Optional.of(AWAY));
    }
    try {
      exchange.tell(member.address.get());
      return new Told(member.name, Optional.empty());
    } catch (IOException e) {
      return new Told(member.name, Optional.of(String.valueOf(e.getMessage())));
    }
  }
}
