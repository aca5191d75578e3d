package io.cordwood.ingest.loki;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import io.cordwood.common.testing.Patience;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;

/** loki4j, the appender of Logback for Loki. */
public final class Loki4j {
  private Loki4j() {}

  /** The configuration of docs/senders.md, started. */
  public static LoggerContext logback(int port, boolean protobuf) throws Exception {
    String xml =
        """
        <configuration>
          <appender name="LOKI" class="com.github.loki4j.logback.Loki4jAppender">
            <labels>
              app=shop
              level=%level
            </labels>
            <structuredMetadata>
              thread=%thread
              logger=%logger
            </structuredMetadata>
            <message>
              <pattern>%msg %ex</pattern>
            </message>
            <http>
              <url>http://127.0.0.1:PORT/loki/api/v1/push</url>
              <useProtobufApi>PROTOBUF</useProtobufApi>
              <connectionTimeoutMs>PATIENCE</connectionTimeoutMs>
              <requestTimeoutMs>PATIENCE</requestTimeoutMs>
              <maxRetries>1000</maxRetries>
              <maxRetryBackoffMs>5000</maxRetryBackoffMs>
            </http>
            <batch>
              <timeoutMs>200</timeoutMs>
            </batch>
          </appender>
          <root level="INFO">
            <appender-ref ref="LOKI"/>
          </root>
        </configuration>
        """
            .replace("PORT", Integer.toString(port))
            .replace("PROTOBUF", Boolean.toString(protobuf))
            .replace("PATIENCE", Long.toString(Patience.LONG.toMillis()));
    var context = new LoggerContext();
    var joran = new JoranConfigurator();
    joran.setContext(context);
    joran.doConfigure(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    return context;
  }
}
