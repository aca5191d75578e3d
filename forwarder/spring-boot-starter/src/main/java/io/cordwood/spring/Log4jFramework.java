package io.cordwood.spring;

import io.cordwood.log4j2.CordwoodAppender;
import java.io.Serializable;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.Layout;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.AbstractConfiguration;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.Node;
import org.apache.logging.log4j.core.config.plugins.util.PluginBuilder;
import org.apache.logging.log4j.core.config.plugins.util.PluginType;
import org.jspecify.annotations.Nullable;

/** Log4j 2, in the context of the application's class loader. */
final class Log4jFramework implements LoggingFramework {
  private static final String PATTERN =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %5p "
          + ProcessHandle.current().pid()
          + " --- [%t] %c : %m%replace{%equals{ %X}{ {}}{}}{(?<=^ )[{]|[}]$}{}%n";

  /** Spring Boot's own, which has been there since 3.4. */
  private static final String STRUCTURED = "StructuredLogLayout";

  private final LoggerContext context = (LoggerContext) LogManager.getContext(false);

  @Override
  public @Nullable AttachedAppender attached() {
    return context.getConfiguration().getAppenders().values().stream()
        .filter(CordwoodAppender.class::isInstance)
        .map(CordwoodAppender.class::cast)
        .filter(CordwoodAppender::isStarted)
        .findFirst()
        .map(found -> new AttachedAppender(found::counters, found::flush))
        .orElse(null);
  }

  @Override
  public void attach(CordwoodProperties properties, BooleanSupplier isOpen) {
    attach(properties);
    context.addPropertyChangeListener(event -> {
      boolean changed = LoggerContext.PROPERTY_CONFIG.equals(event.getPropertyName());
      if (changed && isOpen.getAsBoolean() && attached() == null) {
        attach(properties);
      }
    });
  }

  private void attach(CordwoodProperties properties) {
    Configuration configuration = context.getConfiguration();
    CordwoodAppender.Builder builder = CordwoodAppender.newBuilder();
    builder.setConfiguration(configuration);
    builder.setName(APPENDER);
    builder.setLayout(layout(properties.format(), configuration));
    properties.settings().forEach(builder::configure);
    CordwoodAppender appender = Objects.requireNonNull(builder.build());
    appender.start();
    configuration.addAppender(appender);
    configuration.getRootLogger().addAppender(appender, null, null);
    context.updateLoggers();
  }

  private static Layout<? extends Serializable> layout(String format, Configuration configuration) {
    return format.equals(CordwoodProperties.TEXT)
        ? layout("PatternLayout", "pattern", PATTERN, configuration)
        : layout(STRUCTURED, "format", format, configuration);
  }

  /**
   * A layout as configurations name it: that of Spring Boot is there under no other name, and the
   * builder of Log4j's own changes from version to version.
   */
  private static Layout<? extends Serializable> layout(
      String name, String attribute, String value, Configuration configuration) {
    PluginType<?> type =
        ((AbstractConfiguration) configuration).getPluginManager().getPluginType(name);
    var node = new Node(null, name, type);
    node.getAttributes().put(attribute, value);
    Object layout =
        new PluginBuilder(type)
            .withConfiguration(configuration)
            .withConfigurationNode(node)
            .build();
    if (layout instanceof Layout<?> made) {
      return made;
    }
    throw new IllegalArgumentException(
        "expected a layout " + name + " with " + attribute + "=" + value + ", found none");
  }
}
