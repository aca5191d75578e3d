package io.cordwood.spring;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.event.ApplicationPreparedEvent;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.logging.log4j2.Log4J2LoggingSystem;
import org.springframework.boot.logging.logback.LogbackLoggingSystem;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.SmartApplicationListener;
import org.springframework.core.env.Environment;

/**
 * Attaches the appender as soon as Spring Boot has initialized the logging, since the console has
 * no earlier lines either. When the context closes, it waits for acknowledgements. The appender
 * stays: other contexts may log, and Spring Boot stops it with the framework.
 */
final class CordwoodLogging implements SmartApplicationListener {
  private static final AtomicBoolean SAID_NO_TARGETS = new AtomicBoolean();

  private volatile boolean open = true;

  @Override
  public int getOrder() {
    return LoggingApplicationListener.DEFAULT_ORDER + 1;
  }

  @Override
  public boolean supportsEventType(Class<? extends ApplicationEvent> type) {
    return ApplicationEnvironmentPreparedEvent.class.isAssignableFrom(type)
        || ApplicationPreparedEvent.class.isAssignableFrom(type);
  }

  @Override
  public void onApplicationEvent(ApplicationEvent event) {
    if (event instanceof ApplicationEnvironmentPreparedEvent prepared) {
      ClassLoader loader = prepared.getSpringApplication().getClassLoader();
      attach(LoggingSystem.get(loader), prepared.getEnvironment());
    } else if (event instanceof ApplicationPreparedEvent prepared) {
      flushAtClose(prepared.getApplicationContext());
    }
  }

  private void attach(LoggingSystem system, Environment environment) {
    var properties = new CordwoodProperties(environment);
    Log log = LogFactory.getLog(CordwoodLogging.class);
    if (!properties.hasTargets()) {
      if (SAID_NO_TARGETS.compareAndSet(false, true)) {
        log.info("cordwood.targets is not set: no logs are sent to Cordwood");
      }
      return;
    }
    Optional<LoggingFramework> framework = framework(system);
    if (framework.isEmpty()) {
      log.error(
          "no logs are sent to Cordwood: expected Logback or Log4j 2, found "
              + system.getClass().getName());
      return;
    }
    attach(framework.get(), properties, log);
  }

  private void attach(LoggingFramework framework, CordwoodProperties properties, Log log) {
    if (framework.attached() != null) {
      log.debug("an appender sends the logs to Cordwood already; no other one is attached");
      return;
    }
    try {
      framework.attach(properties, () -> open);
    } catch (IllegalArgumentException e) {
      log.error("no logs are sent to Cordwood: " + e.getMessage());
    }
  }

  /** The bean registered first is destroyed last, when nothing of the context logs any more. */
  private void flushAtClose(ConfigurableApplicationContext context) {
    Environment environment = context.getEnvironment();
    if (context.getParent() == null
        && new CordwoodProperties(environment).hasTargets()
        && context.getBeanFactory() instanceof DefaultSingletonBeanRegistry registry) {
      LoggingSystem system = LoggingSystem.get(CordwoodLogging.class.getClassLoader());
      registry.registerDisposableBean("cordwoodFlush", () -> flush(system, environment));
    }
  }

  private void flush(LoggingSystem system, Environment environment) {
    open = false;
    boolean stopped =
        environment.getProperty(
            LoggingApplicationListener.REGISTER_SHUTDOWN_HOOK_PROPERTY, Boolean.class, true);
    if (stopped && isEnding()) {
      return; // Spring Boot stops the framework next, and that waits as long
    }
    AttachedAppender appender = attached(system);
    if (appender != null) {
      appender.flush().run();
    }
  }

  static @Nullable AttachedAppender attached(LoggingSystem system) {
    return framework(system).map(LoggingFramework::attached).orElse(null);
  }

  /** Whether the JVM is, which takes no more hooks then. */
  private static boolean isEnding() {
    Thread hook = new Thread(() -> {});
    try {
      Runtime.getRuntime().addShutdownHook(hook);
      Runtime.getRuntime().removeShutdownHook(hook);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  /** Empty for a framework that no appender exists for. */
  private static Optional<LoggingFramework> framework(LoggingSystem system) {
    if (system instanceof LogbackLoggingSystem) {
      return Optional.of(new LogbackFramework());
    }
    return system instanceof Log4J2LoggingSystem
        ? Optional.of(new Log4jFramework())
        : Optional.empty();
  }
}
