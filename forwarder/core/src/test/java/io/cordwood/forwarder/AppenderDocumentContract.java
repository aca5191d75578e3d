package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docs/appenders.md} says is so. */
public abstract class AppenderDocumentContract extends AppenderFixture {
  private static final Path DOCUMENT = Path.of("../../docs/appenders.md");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```xml\\n(.*?)^```$");
  private static final Pattern SETTING =
      Pattern.compile("(?m)^\\| `(\\w+)` \\| (?:`([^`]+)`|[^|]+) \\| ([^|]*)\\|");
  private static final Pattern RANGE = Pattern.compile("(\\d\\w+) to (\\d\\w+)");

  @TempDir private Path spools;

  /** The root element of the framework's configuration. */
  protected abstract String root();

  /** As it stands in the document, but for what only Spring Boot knows. */
  protected abstract Application startFrom(String configuration);

  /** The settings that the appender has. */
  protected abstract Set<String> settings();

  private static Stream<MatchResult> found(Pattern pattern) throws IOException {
    return pattern.matcher(Files.readString(DOCUMENT)).results();
  }

  @Test
  void snippetsWorkAsTheyStandThere() throws IOException {
    List<String> blocks =
        found(BLOCK).map(b -> b.group(1)).filter(b -> b.startsWith("<" + root() + ">")).toList();
    assertThat(blocks).hasSize(2);
    List<String> expected = new ArrayList<>();
    for (String block : blocks) {
      String target = node.target().toString();
      String xml = block.replace("log1,log2", target).replace("localhost", target);
      try (Application application = startFrom(xml)) {
        application.logWith("traceId", "4bf9", "event " + expected.size());
        assertThat(application.counters().appended()).isEqualTo(1);
        awaitAcknowledged(application, 1);
      }
      expected.add(" app - event " + expected.size() + " traceId=4bf9");
    }
    assertThat(received()).zipSatisfy(expected, (r, e) -> assertThat(r).endsWith(e));
    assertThat(archive.batches()).allMatch(batch -> batch.topic.equals("web"));
  }

  @Test
  void everySettingIsInTheTableAndTakesItsDefaultAndItsBounds() throws IOException {
    Set<String> named = new TreeSet<>();
    for (MatchResult row : found(SETTING).toList()) {
      String name = row.group(1);
      named.add(name);
      List<String> values = new ArrayList<>();
      if (row.group(2) != null) {
        values.add(row.group(2));
      }
      RANGE
          .matcher(row.group(3))
          .results()
          .forEach(r -> values.addAll(List.of(r.group(1), r.group(2))));
      for (String value : name.equals("topic") ? List.of("default") : values) {
        AppenderXml xml = appender().set(name, value);
        if (name.equals("spoolSize")) {
          xml.set("spoolDir", spools.resolve("size").toString());
        }
        try (Application application = start(xml)) {
          assertThat(application.counters().appended()).as("%s=%s", name, value).isZero();
        }
      }
    }
    assertThat(named).isEqualTo(settings());
    assertThat(Stream.of(AppenderSetting.values()).map(AppenderSetting::camelCase))
        .containsExactlyInAnyOrderElementsOf(named);
  }
}
