package io.cordwood.logback;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the metadata for native images names exists, and every setter is named. */
final class NativeImageTest {
  private static final String METADATA =
      "/META-INF/native-image/io.cordwood/cordwood-logback/reflect-config.json";

  private static final Pattern TYPE = Pattern.compile("\"name\": \"(io\\.cordwood\\.[\\w.]+)\"");
  private static final Pattern METHOD =
      Pattern.compile("\"name\": \"([\\w<>]+)\", \"parameterTypes\": \\[(?:\"([\\w.]+)\")?]");

  private final String text = text();

  private static String text() {
    try (InputStream in = NativeImageTest.class.getResourceAsStream(METADATA)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void metadataNamesEachSetterAndNothingThatIsNotThere() throws ReflectiveOperationException {
    Class<?> type = Class.forName(TYPE.matcher(text).results().findFirst().orElseThrow().group(1));
    assertThat(type).isEqualTo(CordwoodAppender.class);
    List<String> named = new ArrayList<>();
    for (MatchResult method : METHOD.matcher(text).results().toList()) {
      if (method.group(1).equals("<init>")) {
        assertThat(type.getConstructor()).isNotNull();
      } else {
        Class<?> parameter = Class.forName(method.group(2));
        named.add(type.getMethod(method.group(1), parameter).getName());
      }
    }
    assertThat(named)
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(type.getDeclaredMethods())
                .map(Method::getName)
                .filter(name -> name.startsWith("set"))
                .toList());
  }
}
