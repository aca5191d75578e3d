package io.cordwood.spring;

import io.cordwood.forwarder.AppenderSetting;
import io.cordwood.forwarder.AppenderSettings;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** The properties {@code cordwood.*}, and what an application's other properties add to them. */
final class CordwoodProperties {
  static final String PREFIX = "cordwood.";

  /** The format that is no structured one. */
  static final String TEXT = "text";

  static final String FORMAT = PREFIX + "format";

  private static final int MAX_TOPIC = 128;
  private static final String STRUCTURED_LOGGING =
      "org.springframework.boot.logging.structured.StructuredLogFormatter";

  private static final Bindable<Map<String, String>> LABELS =
      Bindable.mapOf(String.class, String.class);

  private final Environment environment;
  private final Binder binder;

  CordwoodProperties(Environment environment) {
    this.environment = environment;
    this.binder = Binder.get(environment);
  }

  /** Whether there are targets, without which nothing is sent. */
  boolean hasTargets() {
    return !list(AppenderSetting.TARGETS).isBlank();
  }

  /**
   * The format of records.
   *
   * @throws IllegalArgumentException when this version of Spring Boot lacks it
   */
  String format() {
    String format = environment.getProperty(FORMAT, TEXT).strip();
    if (!format.equals(TEXT) && !ClassUtils.isPresent(STRUCTURED_LOGGING, null)) {
      throw new IllegalArgumentException(
          "expected " + FORMAT + "=text before Spring Boot 3.4, found \"" + format + "\"");
    }
    return format;
  }

  /**
   * The appender's settings.
   *
   * @throws IllegalArgumentException when one is wrong
   */
  Map<AppenderSetting, String> settings() {
    Map<AppenderSetting, String> settings = new EnumMap<>(AppenderSetting.class);
    for (AppenderSetting setting : AppenderSetting.values()) {
      String value = environment.getProperty(PREFIX + setting.kebabCase());
      if (value != null && !value.isBlank()) {
        settings.put(setting, value);
      }
    }
    settings.put(AppenderSetting.TARGETS, list(AppenderSetting.TARGETS));
    settings.put(AppenderSetting.LABELS, labels());
    String application = application();
    if (application != null) {
      settings.putIfAbsent(AppenderSetting.TOPIC, topic(application));
    }
    check(settings);
    return settings;
  }

  private static void check(Map<AppenderSetting, String> settings) {
    var checked = new AppenderSettings();
    settings.forEach(checked::set);
    checked.options();
    checked.stopTimeout();
  }

  /** One text or several, as YAML has lists. */
  private String list(AppenderSetting setting) {
    return binder
        .bind(PREFIX + setting.kebabCase(), Bindable.listOf(String.class))
        .map(values -> String.join(",", values))
        .orElse("");
  }

  /** Those of the property, which go before what is known of the application. */
  private String labels() {
    Map<String, String> known = new TreeMap<>();
    known.put("app", clean(application()));
    known.put("version", clean(environment.getProperty("spring.application.version")));
    known.put("profile", clean(String.join(" ", environment.getActiveProfiles())));
    known.values().removeIf(String::isEmpty);
    String name = PREFIX + AppenderSetting.LABELS.kebabCase();
    String text = environment.getProperty(name);
    if (text == null) {
      known.putAll(binder.bind(name, LABELS).orElse(Map.of()));
      return joined(known);
    }
    for (String label : text.split(",", -1)) {
      known.remove(label.split("=", 2)[0].strip());
    }
    return text.isBlank() || known.isEmpty() ? text + joined(known) : text + "," + joined(known);
  }

  private static String joined(Map<String, String> labels) {
    return labels.entrySet().stream()
        .map(label -> label.getKey() + "=" + label.getValue())
        .collect(Collectors.joining(","));
  }

  private @Nullable String application() {
    return environment.getProperty("spring.application.name");
  }

  /** Without what ends a label where it stands among others. */
  private static String clean(@Nullable String value) {
    return value == null ? "" : value.replaceAll("[,\\s\\p{Cntrl}]+", " ").strip();
  }

  /** A topic has fewer characters than a name may have. */
  private static String topic(String application) {
    String topic =
        application.replaceAll("[^A-Za-z0-9._-]+", "-").replaceFirst("^[^A-Za-z0-9]+", "");
    return topic.isEmpty() ? "default" : topic.substring(0, Math.min(MAX_TOPIC, topic.length()));
  }
}
