package io.cordwood.log4j2;

import io.cordwood.forwarder.AppenderXml;
import io.cordwood.forwarder.Application;
import io.cordwood.forwarder.SpooledEventsContract;

final class SpooledEventsTest extends SpooledEventsContract {
  @Override
  protected Application start(AppenderXml appender) {
    return new Log4jApplication(Log4jApplication.configuration(appender));
  }
}
