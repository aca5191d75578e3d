package io.cordwood.logback;

import io.cordwood.forwarder.AppenderXml;
import io.cordwood.forwarder.Application;
import io.cordwood.forwarder.UnwillingNodeContract;

final class UnwillingNodeTest extends UnwillingNodeContract {
  @Override
  protected Application start(AppenderXml appender) {
    return new LogbackApplication(LogbackApplication.configuration(appender));
  }
}
