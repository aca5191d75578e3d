package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Labels of an appender, as its configuration and its surroundings have them. */
final class AppenderLabelsTest {
  private static Map<String, String> labels(@Nullable String setting) {
    return AppenderLabels.of(setting, _ -> null, _ -> null).pairs();
  }

  @Test
  void hostIsThereByItselfAndTheSettingGoesBeforeIt() {
    String host = HostName.find().orElseThrow();
    assertThat(labels(null)).isEqualTo(Map.of("host", host));
    assertThat(labels(" ")).isEqualTo(Map.of("host", host));
    assertThat(labels("env=prod, team=Shop & Pay"))
        .isEqualTo(Map.of("host", host, "env", "prod", "team", "Shop & Pay"));
    assertThat(labels("host=other,a=b=c")).isEqualTo(Map.of("host", "other", "a", "b=c"));
    assertThat(labels("host=")).isEmpty();
  }

  @Test
  void appIsTheNameThatSpringOrOpenTelemetryKnows() {
    Map<String, String> spring = Map.of("spring.application.name", "shop");
    Map<String, String> openTelemetry = Map.of("OTEL_SERVICE_NAME", "web");
    assertThat(AppenderLabels.of("host=", spring::get, openTelemetry::get).pairs())
        .isEqualTo(Map.of("app", "shop"));
    assertThat(AppenderLabels.of("host=", _ -> null, openTelemetry::get).pairs())
        .isEqualTo(Map.of("app", "web"));
    assertThat(AppenderLabels.of("host=,app=own", spring::get, _ -> null).pairs())
        .isEqualTo(Map.of("app", "own"));
  }

  @ParameterizedTest
  @CsvSource({
    "'env', 'expected labels such as \"env=prod,team=shop\", found \"env\"'",
    "'env=a,', 'expected labels such as \"env=prod,team=shop\", found \"\"'",
    "'env=a,env=b', 'expected each label once, found env twice'",
    "'my env=a', 'expected a label''s name as'",
    "'topic=a', 'expected a label with another name, since each record has a topic'",
  })
  void whatIsNoLabelIsRejected(String setting, String why) {
    assertThatThrownBy(() -> labels(setting))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(why);
  }
}
