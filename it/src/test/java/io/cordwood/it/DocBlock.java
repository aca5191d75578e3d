package io.cordwood.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A fenced block of a document, with the comment on the line before it.
 *
 * @param place the document and the line
 * @param language after the fence; may be empty
 * @param mark {@code not run: REASON}, {@code run by TEST}, or empty
 */
record DocBlock(String document, String place, String language, String mark, String text) {
  private static final Path ROOT = Path.of("..");
  private static final Pattern FENCE =
      Pattern.compile("(?ms)^(?:<!-- ([^\n]*?) -->\n)?```([^\n]*)\n(.*?)^```$");

  /** Of the README and of all pages of {@code docs}; not of decisions and formats, which draw. */
  static List<DocBlock> all() throws IOException {
    List<Path> documents = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
    }
    List<DocBlock> all = new ArrayList<>();
    for (Path document : documents) {
      String text = Files.readString(document);
      Matcher block = FENCE.matcher(text);
      while (block.find()) {
        String name = document.getFileName().toString();
        long line = 1 + text.substring(0, block.start(3)).lines().count();
        String mark = block.group(1) == null ? "" : block.group(1);
        all.add(new DocBlock(name, name + ":" + line, block.group(2), mark, block.group(3)));
      }
    }
    return all;
  }

  /** The block of a document that a test runs. */
  static DocBlock runBy(Class<?> test, String document) throws IOException {
    return runBy(test, document, "");
  }

  /** The first of them with a text. */
  static DocBlock runBy(Class<?> test, String document, String sign) throws IOException {
    return all().stream()
        .filter(block -> block.document.equals(document))
        .filter(block -> block.mark.equals("run by " + test.getSimpleName()))
        .filter(block -> block.text.contains(sign))
        .findFirst()
        .orElseThrow(() -> new AssertionError(document + ": expected a block with " + sign));
  }

  boolean isShell() {
    return language.equals("sh");
  }
}
