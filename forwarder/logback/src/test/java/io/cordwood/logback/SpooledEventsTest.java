package io.cordwood.logback;

import io.cordwood.forwarder.AppenderXml;
import io.cordwood.forwarder.Application;
import io.cordwood.forwarder.SpooledEventsContract;

final class SpooledEventsTest extends SpooledEventsContract {
  @Override
  protected Application start(AppenderXml appender) {
    return new LogbackApplication(LogbackApplication.configuration(appender));
  }
}
