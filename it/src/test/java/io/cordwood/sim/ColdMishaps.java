package io.cordwood.sim;

import io.cordwood.sim.Faults.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** What befalls nodes and their bucket, drawn each ten minutes. */
final class ColdMishaps {
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();
  private static final long HOUR = 60 * MINUTE;
  private static final double TICKS_A_DAY = 144;
  private static final double DAYS_A_MONTH = 30;
  private static final int MEAN_TICKS_DOWN = 3;

  private final ColdLife life;
  private final Sim sim;
  private final Faults faults;

  /** Until when nodes get no answer from it. */
  private final Map<SimColdNode, Long> away = new HashMap<>();

  /** Until when something else is where a node's bucket was. */
  private final Map<SimColdNode, Long> mounted = new HashMap<>();

  private long awayForAll;
  private boolean mountedOthers;

  ColdMishaps(ColdLife life) {
    this.life = life;
    this.sim = life.sim;
    this.faults = life.faults();
  }

  boolean isAway(SimColdNode node) {
    return sim.nanos() < Math.max(awayForAll, away.getOrDefault(node, 0L));
  }

  /** Whether some node ever saw another bucket: it has seen objects that others have not. */
  boolean mountedOthers() {
    return mountedOthers;
  }

  private boolean happens(Kind kind) {
    return faults.happens(kind, 1 / TICKS_A_DAY);
  }

  private long hours(Kind kind, int most) {
    SplittableRandom random = faults.random(kind);
    return MINUTE + random.nextLong(random.nextBoolean() ? HOUR : most * HOUR);
  }

  /** Ten minutes. */
  void tick() {
    try {
      for (SimColdNode node : life.nodes().toList()) {
        if (node.isUp()) {
          befall(node);
        } else if (sim.random.nextInt(MEAN_TICKS_DOWN) == 0) {
          node.start();
        }
      }
      if (happens(Kind.BUCKET_AWAY)) {
        awayForAll = sim.nanos() + hours(Kind.BUCKET_AWAY, 20);
        sim.note(ColdLife.WORLD, "has no bucket");
      }
      List<SimColdStore> stores = life.stores();
      if (faults.happens(Kind.STORE_LOSS, 1 / TICKS_A_DAY / DAYS_A_MONTH)) {
        life.replace(stores.get(faults.random(Kind.STORE_LOSS).nextInt(stores.size())));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void befall(SimColdNode node) {
    if (happens(Kind.KILL)) {
      node.end("is killed");
    } else if (happens(Kind.PAUSE)) {
      sim.note(node, "pauses");
      node.pause(hours(Kind.PAUSE, 5));
    } else if (happens(Kind.SLEEP)) {
      sim.note(node, "sleeps");
      node.sleep(hours(Kind.SLEEP, 5));
    } else if (happens(Kind.BUCKET_AWAY)) {
      sim.note(node, "has no bucket");
      away.put(node, sim.nanos() + hours(Kind.BUCKET_AWAY, 10));
    } else if (happens(Kind.OTHER_BUCKET)) {
      mount(node, hours(Kind.OTHER_BUCKET, 10));
    } else if (sim.nanos() >= mounted.getOrDefault(node, Long.MAX_VALUE)) {
      unmount(node);
    }
  }

  private void mount(SimColdNode node, long nanos) {
    sim.note(node, "has another bucket");
    mountedOthers = true;
    node.mount(life.otherBucket);
    mounted.put(node, sim.nanos() + nanos);
  }

  private void unmount(SimColdNode node) {
    sim.note(node, "has its bucket again");
    node.mount(life.bucket);
    mounted.remove(node);
  }

  /** All is well from now on. */
  void heal() throws IOException {
    awayForAll = 0;
    away.clear();
    List.copyOf(mounted.keySet()).forEach(this::unmount);
    for (SimColdNode node : life.nodes().toList()) {
      if (!node.isUp()) {
        node.start();
      }
    }
  }
}
