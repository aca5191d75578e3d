package io.cordwood.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.forwarder.AppenderSetting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What editors offer are the properties that there are. */
final class MetadataTest {
  private static final Path FILE =
      Path.of("src/main/resources/META-INF/spring-configuration-metadata.json");
  private static final Path DOCUMENT = Path.of("../../docs/appenders.md");
  private static final Pattern PROPERTY =
      Pattern.compile("\"name\": \"(cordwood\\.[\\w-]+)\",\\s+\"type\": ([^}]*)}");
  private static final Pattern DEFAULT = Pattern.compile("\"defaultValue\": \"?([^\"\\s]+)");

  @Test
  void metadataNamesEverySettingAndItsDefault() throws IOException {
    List<MatchResult> properties = PROPERTY.matcher(Files.readString(FILE)).results().toList();
    assertThat(properties.stream().map(property -> property.group(1)))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(
                    Stream.of(CordwoodProperties.FORMAT),
                    Stream.of(AppenderSetting.values())
                        .map(setting -> CordwoodProperties.PREFIX + setting.kebabCase()))
                .toList());
    String document = Files.readString(DOCUMENT);
    for (AppenderSetting setting : AppenderSetting.values()) {
      String property = CordwoodProperties.PREFIX + setting.kebabCase();
      properties.stream()
          .filter(each -> each.group(1).equals(property))
          .flatMap(each -> DEFAULT.matcher(each.group(2)).results())
          .forEach(each ->
              assertThat(document)
                  .contains("| `%s` | `%s` |".formatted(setting.camelCase(), each.group(1))));
    }
  }
}
