package io.cordwood.query.logql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A label of another one, as Prometheus makes it. */
final class LabelReplaceTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '\'',
      textBlock =
          """
          (.*)-(\\d+)          ~ $2 of $1         ~ web-17   ~ 17 of web
          (.*)-(\\d+)          ~ ${1}x$1x         ~ web-17   ~ webx
          (?P<a>.*)-(?<b>.)    ~ $b${a}$$1$       ~ web-1    ~ 1web$1$
          web                  ~ all              ~ web-1    ~ old
          (web)|(db)           ~ <$1$2>           ~ db       ~ <db>
          (?:w)(?i:E)(b)       ~ $0 $1            ~ web      ~ web b
          (\\Q)(\\E)([)x])     ~ $1 $2            ~ )()      ~ )( )
          [](](.)              ~ $1               ~ ]x       ~ x
          \\((.)               ~ $1               ~ (x       ~ x
          (.*)                 ~ ''               ~ web      ~
          """)
  void groupsArePutIntoTheNewValue(String regex, String value, String source, String expected) {
    var replace = LabelReplace.of("to", value, "from", regex, 0);
    Map<String, String> made = replace.apply(new TreeMap<>(Map.of("from", source, "to", "old")));
    if (expected == null) {
      assertThat(made).doesNotContainKey("to");
    } else {
      assertThat(made).containsEntry("to", expected);
    }
  }

  @Test
  void labelThatIsNotThereIsEmpty() {
    var replace = LabelReplace.of("to", "none", "from", "", 0);
    assertThat(replace.apply(new TreeMap<>())).containsExactly(Map.entry("to", "none"));
  }

  @Test
  void aLabelThatIsTooLongIsRefusedBeforeItIsMade() {
    var replace = LabelReplace.of("to", "$1".repeat(30_000), "from", "(.*)", 7);
    assertThat(replace.apply(new TreeMap<>(Map.of("from", "ab"))).get("to")).hasSize(60_000);
    assertThatExceptionOfType(LogqlException.class)
        .isThrownBy(() -> replace.apply(new TreeMap<>(Map.of("from", "x".repeat(100)))))
        .matches(LogqlException::isTooMuch)
        .withMessage(
            "character 8: label_replace: expected a label of at most 65536 characters, made more");
  }
}
