package io.cordwood.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The documents name tests that exist, and {@code docs/durability.md} one for each promise. */
final class NamedTestsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern NAME = Pattern.compile("`([A-Z]\\w+(?:Test|IT))\\.(\\w+)`");

  private static final Pattern INHERITS = Pattern.compile("class \\w+ extends (\\w+)");

  /** A cell need not name a test if it promises nothing, or just what the one before it does. */
  private static final Pattern NO_TEST = Pattern.compile("the same|.*\\*\\*not promised\\*\\*.*");

  private static final List<String> MODULES =
      List.of(
          "common",
          "ingest",
          "store",
          "query",
          "dist",
          "forwarder/core",
          "forwarder/log4j2",
          "forwarder/logback");

  private final List<String> lines;

  NamedTestsTest() throws IOException {
    lines = Files.readAllLines(ROOT.resolve("docs/durability.md"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "appenders.md",
        "durability.md",
        "forward.md",
        "operations.md",
        "page.md",
        "query.md",
        "security.md"
      })
  void namedTestsExist(String document) throws IOException {
    var missing = new TreeSet<String>();
    int named = 0;
    String text = Files.readString(ROOT.resolve("docs").resolve(document));
    for (var name : NAME.matcher(text).results().toList()) {
      named++;
      if (!isTest(name.group(1), name.group(2))) {
        missing.add(name.group());
      }
    }
    assertThat(missing).isEmpty();
    assertThat(named).isGreaterThan(5);
  }

  private static boolean isTest(String type, String method) throws IOException {
    Pattern declaration =
        Pattern.compile("@(Test|ParameterizedTest)\\b[^;{}]*\\bvoid " + method + "\\(");
    for (Path file : testFiles(type + ".java")) {
      // Annotations may hold tables in which anything stands.
      String code = Files.readString(file).replaceAll("(?s)\"\"\".*?\"\"\"|\"[^\"\n]*\"", "");
      if (declaration.matcher(code.replaceAll("@(?!Test|Param)\\w+\\([^)]*\\)", "")).find()) {
        return true;
      }
      Matcher inherits = INHERITS.matcher(code);
      if (inherits.find() && isTest(inherits.group(1), method)) {
        return true;
      }
    }
    return false;
  }

  private static List<Path> testFiles(String name) throws IOException {
    List<Path> found = new ArrayList<>();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
        files.filter(file -> file.endsWith(name)).forEach(found::add);
      }
    }
    return found;
  }

  @Test
  void everyPromiseOfTheTablesNamesATest() {
    List<String> without = new ArrayList<>();
    for (String line : lines) {
      String[] cells = line.split("\\|", -1);
      boolean isPromise =
          line.startsWith("| ") && !line.startsWith("| event ") && !line.startsWith("| what ");
      for (int i = 2; isPromise && i < cells.length - 1; i++) {
        String cell = cells[i].strip();
        if (!NAME.matcher(cell).find() && !NO_TEST.matcher(cell).matches()) {
          without.add(cell);
        }
      }
    }
    assertThat(without).isEmpty();
  }
}
