package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The documents name tests that exist, and {@code docs/durability.md} one for each promise. */
final class NamedTestsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path DOCS = ROOT.resolve("docs");

  /** A comment that no reader sees names the tests of the sentence, cell or paragraph before it. */
  private static final Pattern CHECKED = Pattern.compile("(?s)<!-- checked by (.*?)-->");

  private static final Pattern COMMENT = Pattern.compile("(?s)<!--.*?-->");

  private static final Pattern NAME =
      Pattern.compile("\\b([A-Z]\\w*[a-z]\\w*(?:Test|IT))\\b(?:\\.(\\w+))?");

  private static final Pattern INHERITS = Pattern.compile("class \\w+ extends (\\w+)");

  /** A cell need not name a test if it promises nothing, or just what the one before it does. */
  private static final Pattern NO_TEST = Pattern.compile("the same|.*\\*\\*not promised\\*\\*.*");

  private final List<String> lines;
  private final Map<String, List<Path>> tests = new HashMap<>();

  NamedTestsTest() throws IOException {
    lines = Files.readAllLines(DOCS.resolve("durability.md"));
    for (Path folder : testFolders()) {
      try (Stream<Path> files = Files.walk(folder)) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .forEach(file ->
                tests
                    .computeIfAbsent(file.getFileName().toString(), _ -> new ArrayList<>())
                    .add(file));
      }
    }
  }

  /** Of modules, and of the modules in them. */
  private static List<Path> testFolders() throws IOException {
    List<Path> folders = new ArrayList<>();
    for (Path module : list(ROOT)) {
      folders.add(module);
      folders.addAll(list(module));
    }
    return folders.stream()
        .map(module -> module.resolve("src/test/java"))
        .filter(Files::isDirectory)
        .toList();
  }

  private static List<Path> list(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> inside = Files.list(folder)) {
      return inside.sorted().toList();
    }
  }

  /** All but decisions, which may speak of tests. */
  static List<Path> documents() throws IOException {
    return Stream.concat(list(DOCS).stream(), list(DOCS.resolve("format")).stream())
        .filter(file -> file.toString().endsWith(".md"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void namedTestsExist(Path document) throws IOException {
    var missing = new TreeSet<String>();
    for (var comment : CHECKED.matcher(Files.readString(document)).results().toList()) {
      List<MatchResult> names = NAME.matcher(comment.group(1)).results().toList();
      assertThat(names).as(comment.group()).isNotEmpty();
      for (MatchResult name : names) {
        if (!isTest(name.group(1), name.group(2))) {
          missing.add(name.group());
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void sentencesNameNoTest(Path document) throws IOException {
    String text = COMMENT.matcher(Files.readString(document)).replaceAll("");
    assertThat(NAME.matcher(text).results().map(MatchResult::group))
        .as("in a comment: <!-- checked by Class.method -->")
        .isEmpty();
  }

  @Test
  void manyDocumentsNameTests() throws IOException {
    int named = 0;
    for (Path document : documents()) {
      for (var comment : CHECKED.matcher(Files.readString(document)).results().toList()) {
        named += (int) NAME.matcher(comment.group(1)).results().count();
      }
    }
    assertThat(named).isGreaterThan(200);
  }

  private boolean isTest(String type, @Nullable String method) throws IOException {
    for (Path file : tests.getOrDefault(type + ".java", List.of())) {
      if (method == null || declares(Files.readString(file), method)) {
        return true;
      }
    }
    return false;
  }

  private boolean declares(String source, String method) throws IOException {
    // Annotations may hold tables in which anything stands.
    String code = source.replaceAll("(?s)\"\"\".*?\"\"\"|\"[^\"\n]*\"", "");
    Pattern declaration =
        Pattern.compile("@(Test|ParameterizedTest)\\b[^;{}]*\\bvoid " + method + "\\(");
    if (declaration.matcher(code.replaceAll("@(?!Test|Param)\\w+\\([^)]*\\)", "")).find()) {
      return true;
    }
    Matcher inherits = INHERITS.matcher(code);
    return inherits.find() && isTest(inherits.group(1), method);
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
