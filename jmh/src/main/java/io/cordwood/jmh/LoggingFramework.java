package io.cordwood.jmh;

import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.core.joran.spi.JoranException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.ConfigurationSource;
import org.apache.logging.log4j.core.config.plugins.util.PluginManager;
import org.apache.logging.log4j.core.config.xml.XmlConfiguration;

/** The logging set-ups: configurations that differ in the appender alone. */
public enum LoggingFramework {
  LOG4J2 {
    @Override
    @SuppressWarnings("deprecation") // addPackage: the usual way needs a list of plugins
    Logs start(LoggingTarget.Opened target) throws IOException {
      // In the jar of all benchmarks there is room for one list of plugins, which is Log4j's own.
      PluginManager.addPackage("io.cordwood.log4j2");
      String layout = "<PatternLayout pattern=\"%d %-5p [%t] %c - %m%n\"/>";
      String file = "<File name=\"file\" fileName=\"TARGET\">" + layout + "</File>";
      String appender =
          switch (target.kind()) {
            case UP, DOWN, HUNG ->
                "<Cordwood name=\"it\" targets=\"TARGET\" stopTimeout=\"1s\">"
                    + layout
                    + "</Cordwood>";
            case FILE -> file.replace("\"file\"", "\"it\"");
            case ASYNC_FILE -> file + "<Async name=\"it\"><AppenderRef ref=\"file\"/></Async>";
          };
      String loggers = "<Loggers><Root level=\"info\"><AppenderRef ref=\"it\"/></Root></Loggers>";
      String xml =
          "<Configuration><Appenders>" + appender + "</Appenders>" + loggers + "</Configuration>";
      LoggerContext context = new LoggerContext("benchmark");
      var source = new ConfigurationSource(text(xml, target));
      context.start(new XmlConfiguration(context, source));
      var logger = context.getLogger("app");
      return new Logs() {
        @Override
        public void log(String verb, int number) {
          logger.info("{} /orders/{} was answered within the time", verb, number);
        }

        @Override
        public void close() {
          context.stop();
        }
      };
    }
  },
  LOGBACK {
    @Override
    Logs start(LoggingTarget.Opened target) throws IOException {
      String encoder =
          "<encoder><pattern>%d %-5level [%thread] %logger - %msg%n</pattern></encoder>";
      String file =
          "<appender name='file' class='ch.qos.logback.core.FileAppender'><file>TARGET</file>"
              + encoder
              + "</appender>";
      String appender =
          switch (target.kind()) {
            case UP, DOWN, HUNG ->
                "<appender name='it' class='io.cordwood.logback.CordwoodAppender'>"
                    + "<targets>TARGET</targets><stopTimeout>1s</stopTimeout>"
                    + encoder
                    + "</appender>";
            case FILE -> file.replace("'file'", "'it'");
            case ASYNC_FILE ->
                file
                    + "<appender name='it' class='ch.qos.logback.classic.AsyncAppender'>"
                    + "<appender-ref ref='file'/></appender>";
          };
      String root = "<root level='info'><appender-ref ref='it'/></root>";
      var context = new ch.qos.logback.classic.LoggerContext();
      var configurator = new JoranConfigurator();
      configurator.setContext(context);
      try {
        String xml = "<configuration>" + appender + root + "</configuration>";
        configurator.doConfigure(text(xml, target));
      } catch (JoranException e) {
        throw new IOException(e);
      }
      var logger = context.getLogger("app");
      return new Logs() {
        @Override
        public void log(String verb, int number) {
          logger.info("{} /orders/{} was answered within the time", verb, number);
        }

        @Override
        public void close() {
          context.stop();
        }
      };
    }
  };

  /** An application's logger. */
  interface Logs {
    void log(String verb, int number);

    void close();
  }

  abstract Logs start(LoggingTarget.Opened target) throws IOException;

  private static ByteArrayInputStream text(String xml, LoggingTarget.Opened target) {
    return new ByteArrayInputStream(
        xml.replace("TARGET", target.address()).getBytes(StandardCharsets.UTF_8));
  }
}
