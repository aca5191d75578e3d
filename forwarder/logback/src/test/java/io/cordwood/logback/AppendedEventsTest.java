package io.cordwood.logback;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import io.cordwood.forwarder.AppendedEventsContract;
import io.cordwood.forwarder.AppenderXml;
import io.cordwood.forwarder.Application;
import org.junit.jupiter.api.Test;

/** What arrives of events; the build runs it with each Logback that is supported. */
final class AppendedEventsTest extends AppendedEventsContract {
  @Override
  protected Application start(AppenderXml appender) {
    return new LogbackApplication(LogbackApplication.configuration(appender));
  }

  @Test
  void jsonOfAnEncoderArrives() {
    String encoder = "<encoder class=\"ch.qos.logback.classic.encoder.JsonEncoder\"/>";
    String xml = LogbackApplication.configuration(appender(), encoder);
    try (Application application = new LogbackApplication(xml)) {
      application.log("app", "it \"failed\"", new IllegalStateException("because"));
    }
    assertThat(received()).hasSize(1);
    assertThat(received().get(0))
        .startsWith("{")
        .contains("\"message\":\"it \\\"failed\\\"\"", "\"message\":\"because\"")
        .endsWith("}");
  }

  @Test
  void logbackIsTheOneThatTheBuildAskedFor() {
    String asked = System.getProperty("logback.version", "1.5");
    String found = LoggerContext.class.getPackage().getImplementationVersion();
    assertThat(found).startsWith(asked);
  }
}
