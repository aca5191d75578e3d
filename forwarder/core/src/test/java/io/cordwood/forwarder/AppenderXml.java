package io.cordwood.forwarder;

import java.util.LinkedHashMap;
import java.util.Map;

/** The settings of an appender in a configuration, as a user writes them. */
public final class AppenderXml {
  private final Map<String, String> settings = new LinkedHashMap<>();
  private String pattern = "%msg%n";

  public AppenderXml set(String name, String value) {
    settings.put(name, value);
    return this;
  }

  public AppenderXml pattern(String value) {
    pattern = value;
    return this;
  }

  public String pattern() {
    return pattern;
  }

  /** As attributes of an element. */
  public String attributes() {
    StringBuilder text = new StringBuilder();
    settings.forEach((name, value) -> text.append(" %s=\"%s\"".formatted(name, value)));
    return text.toString();
  }

  /** As elements. */
  public String elements() {
    StringBuilder text = new StringBuilder();
    settings.forEach((name, value) -> text.append("<%s>%s</%1$s>".formatted(name, value)));
    return text.toString();
  }
}
