package io.cordwood.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.forwarder.AppenderSetting;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

final class CordwoodPropertiesTest {
  private final Map<String, Object> properties = new HashMap<>(Map.of("cordwood.targets", "log1"));

  private CordwoodPropertiesTest with(String name, String value) {
    properties.put(name, value);
    return this;
  }

  private CordwoodProperties read() {
    var environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
    ConfigurationPropertySources.attach(environment);
    return new CordwoodProperties(environment);
  }

  private @Nullable String value(AppenderSetting setting) {
    return read().settings().get(setting);
  }

  @ParameterizedTest
  @CsvSource({
    "shop, shop",
    "My Shop!, My-Shop-",
    "_-shop, shop",
    "日本, default",
    "'', default",
  })
  void topicIsTheApplicationsNameInTheCharactersOfTopics(String application, String topic) {
    with("spring.application.name", application);
    assertThat(value(AppenderSetting.TOPIC)).isEqualTo(topic);
  }

  @Test
  void aLongNameGivesATopicThatIsCut() {
    with("spring.application.name", "x".repeat(1000));
    assertThat(value(AppenderSetting.TOPIC)).isEqualTo("x".repeat(128));
  }

  @Test
  void aTopicOfItsOwnGoesBeforeTheName() {
    with("spring.application.name", "shop").with("cordwood.topic", "web");
    assertThat(value(AppenderSetting.TOPIC)).isEqualTo("web");
  }

  @Test
  void labelsOfThePropertyGoBeforeThoseThatAreKnown() {
    with("spring.application.name", "shop, the")
        .with("spring.application.version", "1.2")
        .with("spring.profiles.active", "prod,eu");
    assertThat(value(AppenderSetting.LABELS)).isEqualTo("app=shop the,profile=prod eu,version=1.2");
    with("cordwood.labels", "app=x,team=y");
    assertThat(value(AppenderSetting.LABELS)).isEqualTo("app=x,team=y,profile=prod eu,version=1.2");
    properties.remove("cordwood.labels");
    with("cordwood.labels.app", "x").with("cordwood.labels[k8s.pod]", "p");
    assertThat(value(AppenderSetting.LABELS))
        .isEqualTo("app=x,k8s.pod=p,profile=prod eu,version=1.2");
  }

  @Test
  void blankPropertiesAreNotSet() {
    with("cordwood.labels", " ").with("cordwood.memory", "");
    assertThat(read().settings()).doesNotContainKey(AppenderSetting.MEMORY);
    with("cordwood.targets", " ");
    assertThat(read().hasTargets()).isFalse();
  }

  @Test
  void propertiesHaveAnyFormThatSpringBootTakes() {
    with("cordwood.stopTimeout", "1m").with("cordwood.when_full", "block");
    assertThat(read().settings())
        .containsEntry(AppenderSetting.STOP_TIMEOUT, "1m")
        .containsEntry(AppenderSetting.WHEN_FULL, "block");
  }

  @Test
  void aWrongSettingSaysWhatWasExpectedAndFound() {
    with("cordwood.stop-timeout", "soon");
    assertThatThrownBy(() -> read().settings())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("expected stopTimeout such as 20ms, 5s or 2m, found \"soon\"");
  }
}
