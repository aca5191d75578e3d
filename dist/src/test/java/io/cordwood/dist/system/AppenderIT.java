package io.cordwood.dist.system;

import static org.awaitility.Awaitility.await;

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
  private static final int KILLS = Integer.getInteger("cordwood.rounds", 10);
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
        await()
            .atMost(Program.LONG)
            .until(() -> applications.getFirst().counters().get().acknowledged() >= most);
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
}
