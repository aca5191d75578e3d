package io.cordwood.log4j2;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.forwarder.AppenderXml;
import io.cordwood.forwarder.Application;
import io.cordwood.forwarder.UnwillingNodeContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UnwillingNodeTest extends UnwillingNodeContract {
  @TempDir private Path folder;

  @Override
  protected Application start(AppenderXml appender) {
    return new Log4jApplication(Log4jApplication.configuration(appender));
  }

  @Test
  void failoverTakesWhatIsDropped() throws IOException {
    node.close();
    Path file = folder.resolve("failed-over.log");
    String xml =
        """
        <Configuration>
          <Appenders>
            <Cordwood name="cordwood" targets="%s" memory="2MiB" stopTimeout="0s"
                ignoreExceptions="false"/>
            <File name="file" fileName="%s"><PatternLayout pattern="%%m%%n"/></File>
            <Failover name="both" primary="cordwood" retryIntervalSeconds="3600">
              <Failovers><AppenderRef ref="file"/></Failovers>
            </Failover>
          </Appenders>
          <Loggers><Root level="info"><AppenderRef ref="both"/></Root></Loggers>
        </Configuration>
        """
            .formatted(node.target(), file);
    int dropped;
    try (Log4jApplication application = new Log4jApplication(xml)) {
      for (int i = 0; i < 3000; i++) {
        application.log("x".repeat(1000));
      }
      assertThat(application.counters().droppedRecords()).isEqualTo(1);
      dropped = 3000 - (int) application.counters().pending();
    }
    assertThat(Files.readAllLines(file)).hasSize(dropped);
  }
}
