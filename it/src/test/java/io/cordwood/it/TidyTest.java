package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Sizes that keep the code readable, and words that have no place in the project. */
final class TidyTest {
  private static final int MAX_FILE_LINES = 500;
  private static final int MAX_COLUMNS = 100;

  /** For the tables and drawings in comments, which the formatter leaves as they are. */
  private static final int MAX_DRAWING_COLUMNS = 120;

  private static final int MAX_METHOD_LINES = 60;

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** Folders that no source file is in. */
  private static final List<String> PRUNED =
      List.of(".git", ".m2", "target", "data", ".idea", ".vscode", ".building");

  /** A line that a class or interface member begins with: two blanks, no third. */
  private static final Pattern MEMBER = Pattern.compile("^( {2}| {4})(?=[a-zA-Z@<])[^=;]*\\(.*$");

  /** Written in two halves, so that this file is not one of those that hold them. */
  private static final List<String> FORBIDDEN =
      List.of(
          "/wo" + "rk/",
          "/ro" + "ot/",
          "/ho" + "me/",
          "repo" + ".maven.apache.org",
          "repo1" + ".maven.org",
          "central" + ".sonatype",
          "registry" + "-1.docker.io",
          "plugins" + ".gradle.org");

  /** Phrases that a native reader stumbles over, and what to write instead. */
  private static final Map<Pattern, String> STUMBLES =
      Map.of(
          Pattern.compile("\\b[Bb]ehind\\b"), "after",
          Pattern.compile("\\b[Ss]o\\s+many\\b"), "N, a number of, that many",
          Pattern.compile("\\b[Oo]nce\\s+more\\b"), "again",
          Pattern.compile("\\b([Hh]e|[Hh]is|[Hh]im)\\b"), "the client, it, its",
          Pattern.compile("\\b(have|has)\\s+(it|them)\\s+not\\b"), "lacks it",
          Pattern.compile("^(What|Of|Who|Where|Whatever)\\b(?![^.]*\\?)"), "a noun or a verb first",
          Pattern.compile("^The same(?! place)\\b[^.]*\\.?$"),
              "what it is, without the comment before it");

  /** A comment, or a literal: no comment begins inside of one. */
  private static final Pattern COMMENT =
      Pattern.compile(
          "(?s)\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])'"
              + "|/\\*+(?<block>.*?)\\*/|(?<line>(?://[^\n]*\\s*)+)");

  @Test
  void documentsAndCommentsHoldNoPhraseToStumbleOver() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : files(".md")) {
      // What older releases say of themselves stays as it was.
      if (!file.endsWith("CHANGELOG.md")) {
        findStumbles(file, Files.readString(file).replaceAll("(?s)```.*?```|`[^`\n]*`", ""), found);
      }
    }
    for (Path file : files(".java")) {
      if (name(file).contains("src/main/")) {
        Matcher comment = COMMENT.matcher(Files.readString(file));
        while (comment.find()) {
          String block = comment.group("block");
          String text = block == null ? comment.group("line") : block;
          findStumbles(file, text == null ? "" : text.replaceAll("\n *(\\*|//) ?", " "), found);
        }
      }
    }
    assertThat(found).isEmpty();
  }

  private static void findStumbles(Path file, String text, List<String> found) {
    STUMBLES.forEach((phrase, better) -> {
      Matcher stumble = phrase.matcher(text.strip());
      while (stumble.find()) {
        found.add(name(file) + ": " + stumble.group() + ": better: " + better);
      }
    });
  }

  @Test
  void javaFilesAreShort() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : files(".java")) {
      int lines = Files.readAllLines(file).size();
      if (lines > MAX_FILE_LINES) {
        found.add(name(file) + ": " + lines + " lines");
      }
    }
    assertThat(found).isEmpty();
  }

  @Test
  void javaLinesFitAHundredColumns() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : files(".java")) {
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i);
        int columns = line.codePointCount(0, line.length());
        int most = line.strip().startsWith("*") ? MAX_DRAWING_COLUMNS : MAX_COLUMNS;
        if (columns > most && !line.startsWith("import ")) {
          found.add(name(file) + ":" + (i + 1) + ": " + columns + " columns");
        }
      }
    }
    assertThat(found).isEmpty();
  }

  @Test
  void javaMethodsAreShort() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : files(".java")) {
      findLongMethods(file, found);
    }
    assertThat(found).isEmpty();
  }

  /** Goes by the formatter's indents: a member ends at the brace below its first letter. */
  private static void findLongMethods(Path file, List<String> found) throws IOException {
    List<String> lines = Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      Matcher member = MEMBER.matcher(lines.get(i));
      if (member.matches()) {
        String end = member.group(1) + "}";
        int last = i + 1;
        while (last < lines.size() && isInside(lines.get(last), member.group(1))) {
          last++;
        }
        boolean closed = last < lines.size() && lines.get(last).startsWith(end);
        if (closed && last - i + 1 > MAX_METHOD_LINES) {
          found.add(name(file) + ":" + (i + 1) + ": a method of " + (last - i + 1) + " lines");
        }
      }
    }
  }

  private static boolean isInside(String line, String indent) {
    return line.isBlank() || line.startsWith(indent + " ") || line.startsWith(indent + ")");
  }

  @Test
  void noFileHoldsWordsFromOutsideOfTheProject() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : files("")) {
      String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
      FORBIDDEN.stream()
          .filter(text::contains)
          .forEach(word -> found.add(name(file) + ": " + word));
    }
    assertThat(found).isEmpty();
  }

  /** Raw figures are many lines: those that no document rests on only swamp a search. */
  @Test
  void documentsNameEachKeptBenchmarkRun() throws IOException {
    var documents = new StringBuilder();
    for (Path file : files(".md")) {
      documents.append(Files.readString(file));
    }
    Path runs = ROOT.resolve("bench/runs");
    List<Path> kept = new ArrayList<>();
    collect(runs, ".txt", kept);
    assertThat(kept).isNotEmpty();
    assertThat(kept)
        .allSatisfy(
            run -> assertThat(documents).contains(run.getFileName().toString().split("-", 2)[0]));
  }

  private static List<Path> files(String ending) throws IOException {
    List<Path> files = new ArrayList<>();
    collect(ROOT, ending, files);
    assertThat(files).hasSizeGreaterThan(20);
    return files;
  }

  private static void collect(Path folder, String ending, List<Path> files) throws IOException {
    List<Path> inside;
    try (Stream<Path> names = Files.list(folder)) {
      inside = names.sorted().toList();
    }
    for (Path path : inside) {
      String name = path.getFileName().toString();
      if (Files.isDirectory(path) && !PRUNED.contains(name)) {
        collect(path, ending, files);
      } else if (Files.isRegularFile(path) && name.endsWith(ending)) {
        files.add(path);
      }
    }
  }

  private static String name(Path file) {
    return ROOT.relativize(file).toString();
  }
}
