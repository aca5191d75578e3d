package io.cordwood.cli.search;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;

/** GNU grep and ripgrep, as far as this machine has them, and files for them. */
public final class OtherGreps {
  private final Path folder;

  public OtherGreps(Path folder) {
    this.folder = folder;
  }

  /** Lines that patterns at random are found in now and then. */
  public static List<String> lines(Random random, int count) {
    String[] words = {
      "order", "line", "Error", "retries", "sensor=12", "a.b", "Größe", "30 s", "x"
    };
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      var line = new StringBuilder(Integer.toString(random.nextInt(1000)));
      for (int word = random.nextInt(6); word > 0; word--) {
        line.append(random.nextInt(8) == 0 ? "" : " ").append(words[random.nextInt(words.length)]);
      }
      lines.add(line.toString());
    }
    return lines;
  }

  /** What a program printed, and how it ended. */
  public record Printed(String text, int exitCode) {}

  /**
   * What a program says to each of some command lines, all of them run by one shell.
   *
   * @return empty if there is no such program here, which is said
   */
  public Optional<List<Printed>> run(
      String program, List<GrepCase> cases, Function<GrepCase, List<String>> line, String... files)
      throws IOException {
    var script = new StringBuilder("command -v " + program + " >/dev/null || exit 9\n");
    for (int i = 0; i < cases.size(); i++) {
      List<String> words = new ArrayList<>(line.apply(cases.get(i)));
      words.add("--");
      words.addAll(List.of(files));
      words.forEach(word -> script.append('\'').append(word.replace("'", "'\\''")).append("' "));
      script.append("</dev/null >%1$d.out 2>%1$d.err; echo $? >%1$d.code%n".formatted(i));
    }
    Path file = Files.writeString(folder.resolve(program + ".sh"), script);
    var builder = new ProcessBuilder("sh", file.toString()).directory(folder.toFile()).inheritIO();
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().put("GREP_COLORS", "");
    if (builder.start().onExit().join().exitValue() == 9) {
      System.err.println("SKIPPED: comparing with " + program + ": it is not here");
      return Optional.empty();
    }
    List<Printed> all = new ArrayList<>();
    for (int i = 0; i < cases.size(); i++) {
      String text = new String(Files.readAllBytes(folder.resolve(i + ".out")), UTF_8);
      String code = Files.readString(folder.resolve(i + ".code")).strip();
      all.add(new Printed(text, Integer.parseInt(code)));
    }
    return Optional.of(all);
  }
}
