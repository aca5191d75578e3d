package io.cordwood.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FilePatternTest {
  @TempDir private Path folder;

  @BeforeEach
  void makeFiles() throws IOException {
    for (String name :
        List.of("a.log", "b.log", "b.txt", ".hidden.log", "x/c.log", "x/y/d.log", "[1].log")) {
      Path file = folder.resolve(name);
      Files.createDirectories(file.getParent());
      Files.createFile(file);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "*.log,          '[1].log a.log b.log'",
    "?.log,          'a.log b.log'",
    "[ab].log,       'a.log b.log'",
    "'*.{log,txt}',  '[1].log a.log b.log b.txt'",
    "a.log,          a.log",
    "none.log,       ''",
    "none/*.log,     ''",
    ".*.log,         .hidden.log",
    "*/*.log,        x/c.log",
    "**/*.log,       '[1].log a.log b.log x/c.log x/y/d.log'",
    "x/**/d.log,     x/y/d.log",
    "\\[1\\].log,    '[1].log'",
    "x/../a.log,     a.log",
  })
  void findsWhatAShellWouldAndMatchesTheSame(String text, String expected) {
    var pattern = new FilePattern(folder + "/" + text);
    List<String> found = new ArrayList<>();
    pattern.find(
        path -> {
          found.add(folder.relativize(path).toString());
          assertThat(pattern.matches(path)).as("%s matches %s", text, path).isTrue();
        },
        (path, e) -> {
          throw new AssertionError(path.toString(), e);
        });
    assertThat(String.join(" ", found.stream().sorted().toList())).isEqualTo(expected);
    assertThat(pattern.matches(folder.resolve("other.csv"))).isFalse();
  }

  @Test
  void whatIsNoPatternIsRefused() {
    assertThatThrownBy(() -> new FilePattern("/logs/[a")).hasMessageContaining("/var/log/*.log");
    assertThatThrownBy(() -> new FilePattern("/")).hasMessageContaining("expected a file");
  }

  @ParameterizedTest
  @CsvSource({
    "{name},           /logs/shop.log,                  shop",
    "{name},           /logs/shop.log.1,                shop",
    "{name},           /logs/shop.log-20261125,         shop",
    "{name},           /logs/my.app.out,                my.app",
    "{name},           /logs/plain,                     plain",
    "{file},           /logs/shop.log,                  shop.log",
    "k8s-{folder},     /logs/pod7/0.log,                k8s-pod7",
    "{namespace}.{pod}.{container}, /var/log/pods/shop_web-1_77ab/web/0.log, shop.web-1.web",
    "re:/pods/(\\w+)/, /pods/web/0.log,                 web",
    "re:(a)|(?<topic>b+), /x/bbb,                       bbb",
  })
  void topicIsMadeOfThePath(String rule, String path, String topic) {
    TopicRule made =
        rule.startsWith("re:") ? TopicRule.pattern(rule.substring(3)) : TopicRule.template(rule);
    assertThat(made.of(Path.of(path), Path.of(path))).isEqualTo(topic);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{container}; /logs/app.log; expected a file of a container for {container}",
        "{container}; /logs/app.log; or Docker's ID/ID-json.log with config.v2.json beside it",
        "x-{pod};     /logs/app.log; expected a file of a pod for {pod}",
        "{namespace}; /logs/app.log; such as /var/log/pods/NAMESPACE_POD_UID/CONTAINER/0.log",
        "{container}; /var/log/pods/shop_web-1_77ab/web/last.log; found another",
      })
  void fileThatIsOfNoContainerHasNoTopicOfOne(String template, String path, String why) {
    assertThatThrownBy(() -> TopicRule.template(template).of(Path.of(path), Path.of(path)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(path + ": --topic: ")
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{Container}", "{containers}", "{}", "{{name}}", "{pod.name}", "a b"})
  void templateThatNoFileCouldFillIsRefused(String template) {
    assertThatThrownBy(() -> TopicRule.template(template))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--topic: expected ")
        .hasMessageContaining(", found ");
  }
}
