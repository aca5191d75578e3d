package io.cordwood.cli.search;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.watch.WatchCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/** Runs commands one after another in one process, as they print to a file descriptor. */
final class QuestionRunner {
  static final String END = "== end of an answer ==\n";

  /** Between the words of a command, of which each is a line of a file. */
  static final String SEPARATOR = "\u0001";

  private QuestionRunner() {}

  /** Takes the file. */
  public static void main(String[] args) throws IOException {
    var out = new FileOutputStream(FileDescriptor.out); // which stays open
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      String[] words = line.split(SEPARATOR, -1);
      String[] rest = Arrays.copyOfRange(words, 1, words.length);
      Programs.run(Programs.line("cordwood " + words[0], command(words[0])), Map.of(), rest);
      System.err.flush();
      out.write(END.getBytes(StandardCharsets.US_ASCII));
    }
  }

  private static Command command(String name) {
    return switch (name) {
      case "grep" -> new GrepCommand();
      case "tail" -> new TailCommand();
      case "stats" -> new StatsCommand();
      case "histogram" -> new HistogramCommand();
      case "topics" -> new TopicsCommand();
      case "fields" -> new FieldsCommand();
      case "shapes" -> new ShapesCommand();
      case "watch" -> new WatchCommand();
      default -> throw new IllegalArgumentException("expected a command, found " + name);
    };
  }
}
