package io.cordwood.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedSet;
import org.junit.jupiter.api.Test;

/**
 * The real gossip library in virtual time; {@code LIBRARY=10,100 bench/simulate} for more nodes.
 */
final class LibrarySimulationTest {
  private static final int QUIET_MINUTES = Settings.minutes(2);

  /** Of all nodes, however many there are. */
  private static final int LOADS_A_MINUTE = 200;

  private static final int ROUNDS_A_MINUTE = 300;
  private static final int FAN_OUT = 3;
  private static final int MOST_IN_A_MESSAGE = 49;

  /** Others whom a node tells a piece of news: three at a time, three times for each doubling. */
  private static final int MOST_TOLD_A_DOUBLING = 9;

  @SuppressWarnings("unchecked")
  private static Map<String, Long> run(long seed, int nodes) throws ReflectiveOperationException {
    var loader = new SeedingLoader(LibrarySimulationTest.class.getClassLoader());
    return (Map<String, Long>)
        loader
            .loadClass(LibraryRun.class.getName())
            .getMethod("of", long.class, int.class, int.class)
            .invoke(null, seed, nodes, QUIET_MINUTES);
  }

  private static List<Integer> sizes() {
    return Settings.sizes("cordwood.library", "10,30", 1);
  }

  @Test
  void aSeedIsTheSameRunEachTime() throws ReflectiveOperationException {
    assertThat(run(1, 6)).isEqualTo(run(1, 6));
    assertThat(run(2, 6)).isNotEqualTo(run(1, 6));
  }

  @Test
  void nodesMeetAreQuietAndMeetAgain() throws ReflectiveOperationException {
    List<Map<String, Long>> columns = new ArrayList<>();
    for (int nodes : sizes()) {
      var begin = new Speed();
      Map<String, Long> figures = run(1, nodes);
      long speed = begin.of(figure(figures, "seconds simulated"));
      figures.put("simulated hours in an hour of a core", speed);
      columns.add(figures);
      System.out.println(table(columns));
    }
    Map<String, Long> first = columns.getFirst();
    for (Map<String, Long> column : columns) {
      long nodes = figure(column, "nodes");
      assertThat(figure(column, "seconds until each sees all"))
          .as("%d join", nodes)
          .isBetween(0L, 120L);
      assertThat(figure(column, "seconds until each sees all again"))
          .as("%d heal", nodes)
          .isBetween(0L, 120L);
      assertThat(figure(column, "frames refused")).isZero();
      assertThat(figure(column, "messages dropped")).isZero();
      long doublings = Long.SIZE - Long.numberOfLeadingZeros(nodes);
      assertThat(figure(column, "messages of joining, a node"))
          .as("%d join", nodes)
          .isLessThanOrEqualTo(15 * nodes * doublings);
      long told = Math.min(nodes - 1, MOST_TOLD_A_DOUBLING * doublings);
      assertThat(figure(column, "pieces of news"))
          .as("%d are quiet", nodes)
          .isLessThanOrEqualTo((long) (1.9 * LOADS_A_MINUTE * told));
      assertThat(figure(column, "messages GOSSIP"))
          .as("%d are quiet", nodes)
          .isLessThanOrEqualTo(
              ROUNDS_A_MINUTE * FAN_OUT + figure(column, "pieces of news") / MOST_IN_A_MESSAGE);
      double growth = 1.5 * nodes / figure(first, "nodes");
      for (String figure : List.of("bytes", "bytes remembered of others")) {
        assertThat(figure(column, figure))
            .as("%s of %d nodes", figure, nodes)
            .isLessThanOrEqualTo((long) (growth * figure(first, figure)));
      }
    }
  }

  private static long figure(Map<String, Long> column, String name) {
    return column.getOrDefault(name, 0L);
  }

  /** In the form of the documents. */
  private static String table(List<Map<String, Long>> columns) {
    SequencedSet<String> names = new LinkedHashSet<>();
    columns.forEach(column -> names.addAll(column.keySet()));
    names.remove("hash");
    StringBuilder table = new StringBuilder();
    for (String name : names) {
      table.append("| ").append(name).append(" |");
      columns.forEach(
          column -> table.append(String.format(Locale.ROOT, " %,d |", figure(column, name))));
      table.append('\n');
    }
    return table.toString();
  }
}
