package io.cordwood.query.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

final class TemplateTest {
  private static final TemplateValues VALUES =
      values(
          "the line",
          Map.of(
              "level", "error",
              "status", "503",
              "path", "/api/v1",
              "took", "1.5",
              "message", "card refused, it's 5 eur"));

  private static TemplateValues values(String line, Map<String, String> labels) {
    return new TemplateValues(
        name -> labels.getOrDefault(name, ""), line, Instant.parse("2023-11-14T22:13:20.123Z"));
  }

  @ParameterizedTest
  @CsvFileSource(resources = "/template/made.csv", delimiter = ';', quoteCharacter = '\0')
  void textsAreMade(String template, String made) {
    assertThat(Template.parse(template).with(VALUES)).isEqualTo(made);
    assertThat(Template.parse(template).text()).isEqualTo(template);
  }

  @ParameterizedTest
  @CsvFileSource(resources = "/template/refused.csv", delimiter = ';', quoteCharacter = '\0')
  void whatIsNoTemplateIsNamed(String template, String message) {
    assertThatExceptionOfType(TemplateException.class)
        .isThrownBy(() -> Template.parse(template))
        .withMessageStartingWith(message);
  }

  @Test
  void allThatIsInsideOthersIsBounded() {
    for (String nested : List.of("{{if .a}}", "{{if .a}}{{else if .b}}", "{{(", "{{not (")) {
      assertThatExceptionOfType(TemplateException.class)
          .isThrownBy(() -> Template.parse(nested.repeat(1000).replace("({{", "(")))
          .matches(TemplateException::isTooMuch);
    }
  }

  @Test
  void pipesAreBounded() {
    String pipes = " | len";
    assertThat(Template.parse("{{.level" + pipes.repeat(100) + "}}").with(VALUES)).isEqualTo("1");
    String inner = "(".repeat(90) + ".level" + (pipes + pipes + ")").repeat(90);
    for (String piped : List.of("{{.level" + pipes.repeat(101) + "}}", "{{" + inner + "}}")) {
      assertThatExceptionOfType(TemplateException.class)
          .isThrownBy(() -> Template.parse(piped))
          .withMessageContaining("100 conditions, functions or parentheses within each other");
    }
  }

  @Test
  void aTextThatIsTooLongIsRefusedBeforeItIsMade() {
    String line = "a".repeat(1 << 20);
    TemplateValues values = values(line, Map.of());
    assertThat(Template.parse("{{__line__}}".repeat(4)).with(values)).hasSize(4 << 20);
    for (String template :
        List.of(
            "{{__line__}}".repeat(5),
            "{{len (__line__" + " | b64enc".repeat(90) + ")}}",
            "{{__line__ | replace `a` `aaaaa`}}",
            "{{__line__ | replace `a` `" + "b".repeat(60_000) + "`}}",
            "{{__line__ | repeat 2000000000}}",
            "{{regexReplaceAll `a*` __line__ `" + "$0".repeat(600) + "`}}",
            "{{printf `%s%s%s%s%s` __line__ __line__ __line__ __line__ __line__}}")) {
      assertThatExceptionOfType(TemplateException.class)
          .as(template.substring(0, 30))
          .isThrownBy(() -> Template.parse(template).with(values))
          .withMessage("expected at most 4194304 characters of a text, found more");
    }
  }

  @Test
  void whateverIsGivenIsReadAndFilledOrRefused() {
    var random = new SplittableRandom(45);
    String[] pieces = {
      "{{",
      "}}",
      "{{- ",
      " -}}",
      "if ",
      "else",
      "end",
      ".a",
      "|",
      "(",
      ")",
      "\"",
      "`",
      "\\",
      "1e999",
      "-9223372036854775808",
      "/*",
      "*/",
      "$",
      " ",
      "x",
      "\uD800",
      "__line__",
      "true"
    };
    List<String> functions = Functions.names();
    int made = 0;
    for (int i = 0; i < 20_000; i++) {
      var text = new StringBuilder(i % 2 == 0 ? "{{" : "");
      for (int n = random.nextInt(8); n >= 0; n--) {
        boolean isFunction = random.nextInt(3) == 0;
        text.append(
            isFunction
                ? functions.get(random.nextInt(functions.size())) + " "
                : pieces[random.nextInt(pieces.length)]);
      }
      text.append(i % 4 == 0 ? "}}" : "");
      try {
        assertThat(Template.parse(text.toString()).with(VALUES)).isNotNull();
        made++;
      } catch (TemplateException e) {
        assertThat(e).hasMessageMatching("(?s).+(is not supported|, found .+)");
      }
    }
    assertThat(made).isGreaterThan(1000);
  }

  @Test
  void functionsOfStrangeValuesFailNever() {
    List<String> strange =
        List.of(
            "``",
            "`a`",
            "`NaN`",
            "1e999",
            "-1",
            "-9223372036854775808",
            "9223372036854775807",
            "0",
            "99999",
            "true",
            "__timestamp__",
            "__line__",
            "`\uD800`",
            "`%d%s%999d`",
            ".none");
    var random = new SplittableRandom(46);
    for (String name : Functions.names()) {
      Function function = Functions.named(name).orElseThrow();
      for (int i = 0; i < 300; i++) {
        var call = new StringBuilder("{{").append(name);
        int most = Math.min(function.most(), 5);
        int count = function.least() + random.nextInt(most - function.least() + 1);
        if (function.ofRegex()) {
          call.append(" `a*`");
        }
        for (int n = function.ofRegex() ? 1 : 0; n < count; n++) {
          call.append(' ').append(strange.get(random.nextInt(strange.size())));
        }
        String template = call.append("}}").toString();
        Template parsed = Template.parse(template);
        try {
          assertThat(parsed.with(VALUES)).as(template).isNotNull();
        } catch (TemplateException e) {
          assertThat(e.isTooMuch() && name.equals("repeat")).as(template).isTrue();
        }
      }
    }
  }
}
