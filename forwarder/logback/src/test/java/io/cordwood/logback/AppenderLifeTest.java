package io.cordwood.logback;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import io.cordwood.forwarder.AppenderLifeContract;
import io.cordwood.forwarder.AppenderXml;
import io.cordwood.forwarder.Application;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class AppenderLifeTest extends AppenderLifeContract {
  @Override
  protected Application start(AppenderXml appender) {
    return new LogbackApplication(LogbackApplication.configuration(appender));
  }

  @Override
  protected Application startThree(AppenderXml appender) {
    String one = LogbackApplication.configuration(appender);
    String element = one.substring(one.indexOf("<appender"), one.indexOf("<root"));
    String more =
        element.replace("\"cordwood\"", "\"b\"") + element.replace("\"cordwood\"", "\"c\"");
    return new LogbackApplication(
        one.replace("<root", more + "<root")
            .replace("</root>", "<appender-ref ref=\"b\"/><appender-ref ref=\"c\"/></root>"));
  }

  @Override
  protected Application startWithThrowingLayout(AppenderXml appender) {
    String encoder = "<encoder class=\"%s\"/>".formatted(ThrowingEncoder.class.getName());
    return new LogbackApplication(LogbackApplication.configuration(appender, encoder));
  }

  /** Throws for the event {@code bad}. */
  public static final class ThrowingEncoder extends EncoderBase<ILoggingEvent> {
    @Override
    public byte[] headerBytes() {
      return new byte[0];
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
      if (event.getMessage().equals("bad")) {
        throw new IllegalStateException("this layout throws");
      }
      return event.getMessage().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] footerBytes() {
      return new byte[0];
    }
  }

  @Test
  void appenderWithoutAnEncoderSaysSo() {
    try (Application application =
        new LogbackApplication(LogbackApplication.configuration(appender(), ""))) {
      assertThat(application.status()).anyMatch(s -> s.contains("expected an encoder, found none"));
    }
  }
}
