package io.cordwood.logback;

import io.cordwood.forwarder.AppenderDocumentContract;
import io.cordwood.forwarder.AppenderXml;
import io.cordwood.forwarder.Application;
import java.beans.Introspector;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Spring Boot's own elements are replaced by what they come to without it. */
final class AppenderDocumentTest extends AppenderDocumentContract {
  @Override
  protected String root() {
    return "configuration";
  }

  @Override
  protected Application start(AppenderXml appender) {
    return new LogbackApplication(LogbackApplication.configuration(appender));
  }

  @Override
  protected Application startFrom(String configuration) {
    return new LogbackApplication(
        configuration
            .replaceAll("<include resource=\"org/springframework/[^>]*>", "")
            .replaceAll(
                "<springProperty (name=\\S+) source=\\S+ defaultValue=", "<property $1 value=")
            .replace("<appender-ref ref=\"CONSOLE\"/>", ""));
  }

  @Override
  protected Set<String> settings() {
    return Stream.of(CordwoodAppender.class.getDeclaredMethods())
        .map(Method::getName)
        .filter(name -> name.startsWith("set") && !name.equals("setEncoder"))
        .map(name -> Introspector.decapitalize(name.substring(3)))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
