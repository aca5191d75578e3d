package io.cordwood.log4j2;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.forwarder.AppendedEventsContract;
import io.cordwood.forwarder.AppenderXml;
import io.cordwood.forwarder.Application;
import java.util.List;
import org.apache.logging.log4j.core.layout.PatternLayout;
import org.junit.jupiter.api.Test;

final class AppendedEventsTest extends AppendedEventsContract {
  @Override
  protected Application start(AppenderXml appender) {
    return new Log4jApplication(Log4jApplication.configuration(appender));
  }

  @Test
  void jsonOfATemplateArrives() {
    String layout = "<JsonTemplateLayout eventTemplateUri=\"classpath:EcsLayout.json\"/>";
    String xml = Log4jApplication.configuration(appender(), layout);
    try (Application application = new Log4jApplication(xml)) {
      application.log("app", "it \"failed\"", new IllegalStateException("because"));
    }
    assertThat(received()).hasSize(1);
    assertThat(received().get(0))
        .startsWith("{\"@timestamp\":")
        .contains("\"message\":\"it \\\"failed\\\"\"", "\"error.message\":\"because\"")
        .endsWith("}");
  }

  @Test
  void aNulThatALayoutEndsEventsByIsNoRecord() {
    String layout = "<GelfLayout compressionType=\"OFF\" includeNullDelimiter=\"true\"/>";
    String xml = Log4jApplication.configuration(appender(), layout);
    try (Application application = new Log4jApplication(xml)) {
      List.of("one", "two\nlines", "three").forEach(application::log);
    }
    assertThat(received()).hasSize(3).allMatch(r -> r.startsWith("{") && r.endsWith("}"));
  }

  @Test
  void aLayoutThatPacksIsToldOfOnce() {
    String layout = "<GelfLayout compressionType=\"GZIP\" compressionThreshold=\"1024\"/>";
    String xml = Log4jApplication.configuration(appender(), layout);
    try (Application application = new Log4jApplication(xml)) {
      application.log("short");
      assertThat(application.status()).noneMatch(s -> s.contains("packs its events"));
      application.log("long ".repeat(1000));
      application.log("long ".repeat(1000));
      assertThat(application.status().stream().filter(s -> s.contains("packs its events")))
          .singleElement()
          .asString()
          .contains("compressionType=\"OFF\"");
    }
  }

  @Test
  void layoutOfTheConfigurationIsUsedWithoutGarbageBetweenEvents() {
    PatternLayout layout = PatternLayout.newBuilder().setPattern("%m").build();
    EventBytesPool pool = new EventBytesPool();
    EventBytes first = pool.take();
    layout.encode(Events.of("grün ".repeat(5000)), first);
    assertThat(first.length()).isEqualTo(6 * 5000);
    pool.giveBack(first);
    EventBytes again = pool.take();
    assertThat(again).isSameAs(first);
    assertThat(again.length()).isZero();
    assertThat(pool.take()).isNotSameAs(again);
  }
}
