package io.cordwood.logback;

import io.cordwood.forwarder.AppenderXml;
import io.cordwood.forwarder.ApplicationEndContract;

final class ApplicationEndTest extends ApplicationEndContract {
  @Override
  protected Class<?> program() {
    return LoggingProgram.class;
  }

  @Override
  protected String property() {
    return "logback.configurationFile";
  }

  @Override
  protected String configuration(AppenderXml appender) {
    return LogbackApplication.configuration(appender);
  }
}
