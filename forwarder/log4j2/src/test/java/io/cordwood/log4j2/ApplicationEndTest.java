package io.cordwood.log4j2;

import io.cordwood.forwarder.AppenderXml;
import io.cordwood.forwarder.ApplicationEndContract;

final class ApplicationEndTest extends ApplicationEndContract {
  @Override
  protected Class<?> program() {
    return LoggingProgram.class;
  }

  @Override
  protected String property() {
    return "log4j2.configurationFile";
  }

  @Override
  protected String configuration(AppenderXml appender) {
    return Log4jApplication.configuration(appender);
  }
}
