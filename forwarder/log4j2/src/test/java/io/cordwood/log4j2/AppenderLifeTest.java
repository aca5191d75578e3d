package io.cordwood.log4j2;

import io.cordwood.forwarder.AppenderLifeContract;
import io.cordwood.forwarder.AppenderXml;
import io.cordwood.forwarder.Application;

final class AppenderLifeTest extends AppenderLifeContract {
  @Override
  protected Application start(AppenderXml appender) {
    return new Log4jApplication(Log4jApplication.configuration(appender));
  }

  @Override
  protected Application startWithThrowingLayout(AppenderXml appender) {
    String xml = Log4jApplication.configuration(appender, "<ThrowingLayout/>");
    return new Log4jApplication(xml);
  }
}
