package io.cordwood.log4j2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.forwarder.AppenderLifeContract;
import io.cordwood.forwarder.AppenderXml;
import io.cordwood.forwarder.Application;
import io.cordwood.forwarder.DropReason;
import io.cordwood.forwarder.TestNode;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AppenderLifeTest extends AppenderLifeContract {
  @Override
  protected Application start(AppenderXml appender) {
    return new Log4jApplication(Log4jApplication.configuration(appender));
  }

  /** Log4j's own way to stop gives appenders 50 ms. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 50})
  void stoppingWaitsForStopTimeoutWhateverLog4jGives(long millis) throws Exception {
    node.behaviour = TestNode.Behaviour.LATE;
    var application =
        new Log4jApplication(Log4jApplication.configuration(appender().set("stopTimeout", "1h")));
    application.log("one");
    await().atMost(LONG).until(() -> archive.count() == 1);
    Thread stops = new Thread(() -> application.context().stop(millis, TimeUnit.MILLISECONDS));
    stops.start();
    await().atMost(LONG).until(() -> stops.getState() == Thread.State.TIMED_WAITING);
    stops.join(2 * millis + 1);
    assertThat(stops.isAlive()).isTrue();
    node.release();
    stops.join();
    assertThat(application.counters().acknowledged()).isOne();
    assertThat(application.counters().droppedRecords()).isZero();
    application.close();
  }

  @Test
  void aShorterShutdownTimeoutOfTheConfigurationHolds() {
    node.behaviour = TestNode.Behaviour.SILENT;
    String xml =
        Log4jApplication.configuration(appender().set("stopTimeout", "1h"))
            .replace("<Configuration>", "<Configuration shutdownTimeout=\"50\">");
    var application = new Log4jApplication(xml);
    application.log("one");
    application.close();
    assertThat(application.counters().dropped(DropReason.CLOSED)).isOne();
  }

  @Override
  protected Application startThree(AppenderXml appender) {
    String one = Log4jApplication.configuration(appender);
    int begin = one.indexOf("<Cordwood");
    String element = one.substring(begin, one.indexOf("</Appenders>"));
    String more =
        element.replace("\"cordwood\"", "\"b\"") + element.replace("\"cordwood\"", "\"c\"");
    return new Log4jApplication(
        one.replace("</Appenders>", more + "</Appenders>")
            .replace("</Root>", "<AppenderRef ref=\"b\"/><AppenderRef ref=\"c\"/></Root>"));
  }

  @Override
  protected Application startWithThrowingLayout(AppenderXml appender) {
    String xml = Log4jApplication.configuration(appender, "<ThrowingLayout/>");
    return new Log4jApplication(xml);
  }
}
