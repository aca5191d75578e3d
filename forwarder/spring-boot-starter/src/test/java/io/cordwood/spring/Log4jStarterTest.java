package io.cordwood.spring;

import java.io.PrintStream;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.ThreadContext;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.DefaultConfiguration;
import org.apache.logging.log4j.core.config.NullConfiguration;
import org.apache.logging.log4j.status.StatusConsoleListener;
import org.apache.logging.log4j.status.StatusLogger;
import org.jspecify.annotations.Nullable;

/** Applications with Log4j, and without Logback on their class path. */
final class Log4jStarterTest extends StarterContract {
  @Override
  void log(String message, @Nullable Throwable thrown) {
    ThreadContext.put("traceId", "4bf9");
    LogManager.getLogger("shop").info(message, thrown);
    ThreadContext.remove("traceId");
  }

  /** It has kept the standard error of its first use. */
  @Override
  void printStatus(PrintStream to) {
    StatusLogger.getLogger().reset();
    StatusLogger.getLogger().registerListener(new StatusConsoleListener(Level.WARN, to));
  }

  @Override
  void reload() {
    LoggerContext context = (LoggerContext) LogManager.getContext(false);
    var configuration = new DefaultConfiguration();
    configuration.getRootLogger().setLevel(Level.INFO);
    context.setConfiguration(configuration);
  }

  /** Stopping the context itself would leave loggers without one that the next test uses. */
  @Override
  void stopLogging() {
    LoggerContext context = (LoggerContext) LogManager.getContext(false);
    context.setConfiguration(new NullConfiguration());
  }

  @Override
  String configuration(String target) {
    return """
    <Configuration>
      <Appenders>
        <Cordwood name="own" targets="%s"><PatternLayout pattern="of a file: %%m%%n"/></Cordwood>
      </Appenders>
      <Loggers><Root level="info"><AppenderRef ref="own"/></Root></Loggers>
    </Configuration>
    """
        .formatted(target);
  }
}
