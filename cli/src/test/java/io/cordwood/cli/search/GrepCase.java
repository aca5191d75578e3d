package io.cordwood.cli.search;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;

/**
 * A question at random, that every grep understands, in the words of each.
 *
 * @param max 0: all
 */
public record GrepCase(
    List<String> patterns,
    Reading reading,
    boolean invert,
    boolean count,
    boolean only,
    boolean numbered,
    int max,
    Context context) {
  /** How the patterns are read. */
  record Reading(boolean regex, boolean ignoreCase, boolean word, boolean whole) {}

  /** Records around each match. */
  record Context(int before, int after) {}

  private static final String LETTERS = "aeinorstl0123 =.";

  /**
   * Makes one.
   *
   * @param lines that texts are taken from
   */
  public static GrepCase random(Random random, List<String> lines) {
    boolean regex = random.nextInt(100) < 65;
    List<String> patterns = new ArrayList<>();
    for (int i = random.nextInt(4) == 0 ? 2 + random.nextInt(2) : 1; i > 0; i--) {
      patterns.add(regex ? expression(random, 2) : text(random, lines));
    }
    boolean invert = random.nextInt(6) == 0;
    boolean count = random.nextInt(6) == 0;
    boolean only = !invert && !count && random.nextInt(4) == 0;
    boolean context = !only && !count && random.nextInt(4) == 0;
    return new GrepCase(
        patterns,
        new Reading(regex, random.nextInt(3) == 0, random.nextInt(6) == 0, random.nextInt(12) == 0),
        invert,
        count,
        only,
        random.nextInt(3) == 0,
        random.nextInt(5) == 0 ? 1 + random.nextInt(9) : 0,
        context ? new Context(random.nextInt(4), random.nextInt(4)) : new Context(0, 0));
  }

  private static String text(Random random, List<String> lines) {
    String line = lines.get(random.nextInt(lines.size()));
    int from = random.nextInt(line.length());
    return line.substring(from, Math.min(line.length(), from + 1 + random.nextInt(12)));
  }

  private static String expression(Random random, int depth) {
    var all = new StringBuilder(random.nextInt(12) == 0 ? "^" : "");
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      all.append(atom(random, depth)).append(repetition(random));
    }
    return all.append(random.nextInt(12) == 0 ? "$" : "").toString();
  }

  private static String atom(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 7 : 5)) {
      case 0 -> ".";
      case 1 -> "[a-f]";
      case 2 -> "[^0-9 ]";
      case 5, 6 -> "(" + expression(random, depth - 1) + "|" + expression(random, depth - 1) + ")";
      default -> {
        char letter = LETTERS.charAt(random.nextInt(LETTERS.length()));
        yield letter == '.' ? "\\." : String.valueOf(letter);
      }
    };
  }

  private static String repetition(Random random) {
    return switch (random.nextInt(9)) {
      case 0 -> "*";
      case 1 -> "+";
      case 2 -> "?";
      case 3 -> "{1,3}";
      default -> "";
    };
  }

  /** Those that all greps have. */
  private List<String> common() {
    List<String> flags = new ArrayList<>();
    add(flags, reading.ignoreCase, "-i");
    add(flags, reading.word, "-w");
    add(flags, reading.whole, "-x");
    add(flags, invert, "-v");
    add(flags, count, "-c");
    add(flags, only, "-o");
    add(flags, max > 0, "-m" + max);
    add(flags, context.before > 0, "-B" + context.before);
    add(flags, context.after > 0, "-A" + context.after);
    patterns.forEach(pattern -> flags.addAll(List.of("-e", pattern)));
    return flags;
  }

  private static void add(List<String> flags, boolean wanted, String flag) {
    if (wanted) {
      flags.add(flag);
    }
  }

  /** Cordwood's and GNU grep's flags. */
  List<String> flags() {
    List<String> flags = new ArrayList<>(List.of(reading.regex ? "-E" : "-F"));
    add(flags, numbered, "-n");
    flags.addAll(common());
    return flags;
  }

  /** GNU grep's command line, without files; of a node no lines are numbered. */
  public List<String> gnu(boolean files) {
    List<String> line = new ArrayList<>(List.of("grep", "-a"));
    line.addAll(flags());
    line.removeIf(flag -> !files && flag.equals("-n"));
    return line;
  }

  /** Ripgrep's, without files. */
  public List<String> ripgrep(boolean files) {
    List<String> line = new ArrayList<>(List.of("rg", "--no-config", "-a", "--no-heading"));
    add(line, count, "--include-zero");
    add(line, !reading.regex, "-F");
    line.add(files && numbered ? "-n" : "-N");
    line.addAll(common());
    return line;
  }

  /** A node's parameters. */
  public String query() {
    var query = new StringJoiner("&");
    patterns.forEach(q -> query.add("q=" + URLEncoder.encode(q, StandardCharsets.UTF_8)));
    query.add("regex=" + reading.regex).add("ignore_case=" + reading.ignoreCase);
    query.add("word=" + (reading.word && !reading.whole)).add("whole=" + reading.whole);
    query.add("invert=" + invert).add("count=" + count);
    query.add("only_matching=" + only);
    if (max > 0) {
      query.add("limit=" + max);
    }
    if (context.before + context.after > 0) {
      query.add("before=" + context.before).add("after=" + context.after);
    }
    return query.toString();
  }
}
