package io.cordwood.log4j2;

import io.cordwood.forwarder.AppenderDocumentContract;
import io.cordwood.forwarder.AppenderXml;
import io.cordwood.forwarder.Application;
import java.lang.reflect.Field;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.logging.log4j.core.config.plugins.PluginBuilderAttribute;

/** Outside of Spring, its lookup gives the default that stands in the document. */
final class AppenderDocumentTest extends AppenderDocumentContract {
  @Override
  protected String root() {
    return "Configuration";
  }

  @Override
  protected Application start(AppenderXml appender) {
    return new Log4jApplication(Log4jApplication.configuration(appender));
  }

  @Override
  protected Application startFrom(String configuration) {
    return new Log4jApplication(configuration);
  }

  @Override
  protected Set<String> settings() {
    return Stream.of(CordwoodAppender.Builder.class.getDeclaredFields())
        .filter(field -> field.isAnnotationPresent(PluginBuilderAttribute.class))
        .map(Field::getName)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
