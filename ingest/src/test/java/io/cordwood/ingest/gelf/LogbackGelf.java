package io.cordwood.ingest.gelf;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import de.siegmar.logbackgelf.GelfEncoder;
import de.siegmar.logbackgelf.GelfHttpAppender;
import de.siegmar.logbackgelf.GelfTcpAppender;
import de.siegmar.logbackgelf.GelfUdpAppender;
import javax.net.SocketFactory;

/** The appenders of logback-gelf. */
public final class LogbackGelf {
  private LogbackGelf() {}

  /** A logger of an appender, which is started. */
  public static Logger logger(LoggerContext context, Appender<ILoggingEvent> appender) {
    appender.setContext(context);
    appender.start();
    Logger logger = context.getLogger("a.B");
    logger.addAppender(appender);
    logger.setLevel(Level.INFO);
    return logger;
  }

  private static GelfEncoder encoder() {
    var encoder = new GelfEncoder();
    encoder.setContext(new LoggerContext());
    encoder.addStaticField("app:shop");
    encoder.start();
    return encoder;
  }

  /** One that is not started. */
  static Appender<ILoggingEvent> appender(String protocol, int port) {
    return switch (protocol) {
      case "tcp" -> tcp(port);
      case "udp" -> {
        var appender = new GelfUdpAppender();
        appender.setGraylogHost("127.0.0.1");
        appender.setGraylogPort(port);
        appender.setEncoder(encoder());
        yield appender;
      }
      default -> http(port);
    };
  }

  /** One that is not started. */
  public static GelfTcpAppender tcp(int port) {
    return tcp(port, () -> {});
  }

  /**
   * The same.
   *
   * @param renewing is called whenever it makes a connection anew, as one has failed
   */
  public static GelfTcpAppender tcp(int port, Runnable renewing) {
    var appender =
        new GelfTcpAppender() {
          @Override
          protected SocketFactory initSocketFactory() {
            renewing.run();
            return super.initSocketFactory();
          }
        };
    appender.setGraylogHost("127.0.0.1");
    appender.setGraylogPort(port);
    appender.setEncoder(encoder());
    return appender;
  }

  /** One that is not started, to the port of the API. */
  public static GelfHttpAppender http(int port) {
    var appender = new GelfHttpAppender();
    appender.setUri("http://127.0.0.1:" + port + "/gelf");
    appender.setEncoder(encoder());
    return appender;
  }
}
