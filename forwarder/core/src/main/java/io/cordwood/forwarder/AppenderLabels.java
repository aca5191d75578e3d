package io.cordwood.forwarder;

import io.cordwood.common.wire.Labels;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The labels of an appender: those of its setting, and the machine's and the application's name. A
 * label without a value is left out, so that {@code host=} gives no host.
 */
final class AppenderLabels {
  private static final String APP = "app";
  private static final String SPRING = "spring.application.name";
  private static final String OPEN_TELEMETRY = "OTEL_SERVICE_NAME";

  private AppenderLabels() {}

  /**
   * @param setting {@code name=value,name2=value2}; null for none
   * @throws IllegalArgumentException when it is not that
   */
  static Labels of(@Nullable String setting) {
    return of(setting, System::getProperty, System::getenv);
  }

  static Labels of(
      @Nullable String setting,
      Function<String, @Nullable String> properties,
      Function<String, @Nullable String> environment) {
    Map<String, String> pairs = setting == null ? new TreeMap<>() : pairs(setting);
    HostName.find().ifPresent(name -> pairs.putIfAbsent(HostName.LABEL, name));
    String app = properties.apply(SPRING);
    app = app == null ? environment.apply(OPEN_TELEMETRY) : app;
    if (app != null) {
      pairs.putIfAbsent(APP, app);
    }
    pairs.values().removeIf(String::isEmpty);
    return Labels.of(pairs);
  }

  private static Map<String, String> pairs(String setting) {
    Map<String, String> pairs = new TreeMap<>();
    for (String label : setting.isBlank() ? new String[0] : setting.split(",", -1)) {
      int equals = label.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException(
            "expected labels such as \"env=prod,team=shop\", found \"" + label + "\"");
      }
      String name = Labels.checkName(label.substring(0, equals).strip());
      if (pairs.put(name, label.substring(equals + 1).strip()) != null) {
        throw new IllegalArgumentException("expected each label once, found " + name + " twice");
      }
    }
    return pairs;
  }
}
