package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What arrives of events. */
public abstract class AppendedEventsContract extends AppenderFixture {
  private static final int THREADS = 4;
  private static final int EVENTS = 500;

  @Test
  void eventsArriveUnderTheTopicAndKeepTheOrderOfTheirThread() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    try (Application application = start(appender())) {
      for (int t = 0; t < THREADS; t++) {
        String name = "thread " + t + " event ";
        threads.add(
            Thread.startVirtualThread(
                () -> IntStream.range(0, EVENTS).forEach(i -> application.log(name + i))));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    for (int t = 0; t < THREADS; t++) {
      String name = "thread " + t + " event ";
      assertThat(received().stream().filter(r -> r.startsWith(name)))
          .containsExactlyElementsOf(IntStream.range(0, EVENTS).mapToObj(i -> name + i).toList());
    }
    assertThat(received()).hasSize(THREADS * EVENTS);
    assertThat(archive.batches()).allMatch(batch -> batch.topic.equals("web"));
  }

  @Test
  void everyBatchHasTheLabelsOfTheSettingAndTheHost() {
    try (Application application = start(appender().set("labels", "env=prod,team=a b"))) {
      application.log("event");
    }
    String host = HostName.find().orElseThrow();
    assertThat(archive.batches())
        .isNotEmpty()
        .allMatch(b -> b.labels.equals("\nenv=prod\nhost=" + host + "\nteam=a b"));
  }

  @Test
  void eventWithAStackTraceIsOneRecord() {
    try (Application application = start(appender().pattern("%msg%n%ex"))) {
      application.log("before");
      application.log("app", "it failed", new IllegalStateException("because"));
      application.log("after");
    }
    assertThat(received()).hasSize(3).startsWith("before").endsWith("after");
    assertThat(received().get(1))
        .startsWith("it failed\njava.lang.IllegalStateException: because\n\tat ")
        .contains("eventWithAStackTraceIsOneRecord")
        .doesNotEndWith("\n");
  }

  /** What the framework itself makes of it is not the appender's: it may even throw. */
  @Test
  void exceptionWhoseMessageThrowsCostsAtMostItsOwnEvent() {
    var failure =
        new IllegalStateException() {
          private static final long serialVersionUID = 1L;

          @Override
          public String getMessage() {
            throw new UnsupportedOperationException("no message");
          }
        };
    try (Application application = start(appender().pattern("%msg%n%ex"))) {
      application.log("before");
      try {
        application.log("app", "it failed", failure);
      } catch (UnsupportedOperationException e) {
        assertThat(e.getStackTrace())
            .noneMatch(at -> at.getClassName().contains("CordwoodAppender"));
      }
      application.log("after");
      assertLedgerHolds(application.counters());
    }
    assertThat(received()).startsWith("before").contains("after");
  }

  static Stream<Arguments> oddMessages() {
    String nul = "a" + (char) 0 + "b";
    return Stream.of(
        Arguments.of("empty", "", List.of("")),
        Arguments.of("NUL", nul, List.of(nul)),
        Arguments.of("CR", "a\rb\r", List.of("a\rb\r")),
        Arguments.of("CR LF", "a\r\nb", List.of("a\r\nb")),
        Arguments.of("blank lines", "\n\na\n\n", List.of("\n\na\n\n")),
        Arguments.of("both delimiters", nul + "\nc", List.of(nul, "c")),
        Arguments.of("percent signs", "100% %d {} ${env:HOME}", List.of("100% %d {} ${env:HOME}")),
        Arguments.of("beyond ASCII", "grün 日本 😀", List.of("grün 日本 😀")),
        Arguments.of("half a surrogate pair", "a\ud83d!", List.of("a?!")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("oddMessages")
  void oddMessageArrivesAsItIs(String kind, String message, List<String> records) {
    try (Application application = start(appender())) {
      application.log(message);
    }
    assertThat(received()).as(kind).isEqualTo(records);
  }

  @Test
  void longMessageIsCutEachMebibyteAndNothingOfItIsLost() {
    String message = "0123456789".repeat(1 << 20);
    try (Application application = start(appender())) {
      application.log(message);
      assertThat(application.counters().handling().cuts()).isEqualTo(9);
    }
    assertThat(String.join("", received())).isEqualTo(message);
    assertThat(received()).hasSize(10).allMatch(r -> r.length() == 1 << 20);
  }
}
