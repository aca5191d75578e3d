package io.cordwood.it;

import static org.awaitility.Awaitility.await;

import io.cordwood.common.testing.Seed;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} of a node to which applications log by Log4j 2 and by Logback, again and again;
 * {@code -Dcordwood.rounds=N} says how often, {@code -Dcordwood.seed=N} chooses the moments.
 */
final class AppenderIT {
  private static final int KILLS = Integer.getInteger("cordwood.rounds", 5);
  private static final int EVENTS_A_LIFE = 400;

  @TempDir private Path folder;

  @Test
  void nodeThatIsKilledAgainAndAgainLosesAndDoublesNoEvent() throws Exception {
    Random random = new Random(Seed.of(AppenderIT.class));
    NodeProcess node = NodeProcess.start(folder);
    String target = "localhost:" + node.durablePort();
    List<LoggingApplication> applications =
        List.of(LoggingApplication.log4j(target, ""), LoggingApplication.logback(target, ""));
    try {
      for (int kill = 0; kill < KILLS; kill++) {
        int first = kill * EVENTS_A_LIFE;
        int then = first + EVENTS_A_LIFE / 2;
        applications.forEach(a -> a.log(first, then));
        int most = first + random.nextInt(EVENTS_A_LIFE / 2);
        await().until(() -> applications.getFirst().counters().get().acknowledged() >= most);
        applications.forEach(a -> a.log(then, first + EVENTS_A_LIFE));
        node.kill();
        node = node.startAgain(folder);
      }
      for (LoggingApplication application : applications) {
        application.assertFoundIn(node, KILLS * EVENTS_A_LIFE);
      }
    } finally {
      applications.forEach(a -> a.stop().run());
      node.close();
    }
  }

  /** Events that the paused node may have are then on both, under the same ULIDs. */
  @Test
  void eventsGoToAnotherNodeWhileOneIsPausedAndAreFoundOnce() throws Exception {
    String fast = "--gossip-profile=local";
    try (NodeProcess one = NodeProcess.start(folder.resolve("one"), fast);
        NodeProcess other =
            NodeProcess.start(
                folder.resolve("other"), fast, "--peer=127.0.0.1:" + one.port("gossip"))) {
      String targets =
          "localhost:%d,localhost:%d".formatted(one.durablePort(), other.durablePort());
      LoggingApplication application = LoggingApplication.log4jWith(targets, " ackTimeout=\"1s\"");
      try {
        application.log(0, EVENTS_A_LIFE);
        application.awaitAcknowledged(EVENTS_A_LIFE);
        boolean first = one.metric("cordwood_ingest_records_stored_total") > 0;
        NodeProcess paused = first ? one : other;
        NodeProcess running = first ? other : one;
        paused.program().pause();
        application.log(EVENTS_A_LIFE, 2 * EVENTS_A_LIFE);
        application.awaitAcknowledged(2 * EVENTS_A_LIFE);
        paused.program().resume();
        running.awaitCount("log4j event", 2 * EVENTS_A_LIFE);
        application.assertFoundIn(running, 2 * EVENTS_A_LIFE);
      } finally {
        application.stop().run();
      }
    }
  }
}
