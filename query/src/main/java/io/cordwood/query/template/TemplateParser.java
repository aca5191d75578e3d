package io.cordwood.query.template;

import io.cordwood.query.match.PatternException;
import io.cordwood.query.match.Substitution;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a template:
 *
 * <pre>
 *   parts    = { text | "{{" pipeline "}}" | comment
 *            | "{{if" pipeline "}}" parts { "{{else if" pipeline "}}" parts }
 *              [ "{{else}}" parts ] "{{end}}" }
 *   pipeline = command { "|" command }
 *   command  = function { term } | term
 *   term     = "." name | string | number | "true" | "false" | function | "(" pipeline ")"
 * </pre>
 *
 * A hyphen with a space, {@code {{- } and { -}}}, takes the white space beside an action away.
 */
final class TemplateParser {
  /** Conditions, functions and parentheses, which are read and filled by calls within calls. */
  private static final int MAX_DEPTH = 100;

  private static final Set<String> UNSUPPORTED =
      Set.of("range", "with", "define", "template", "block", "break", "continue");
  private static final Set<String> ENDS = Set.of("else", "end");

  private final TemplateTokens tokens;
  private final Set<String> labels = new HashSet<>();
  private boolean ofRecord;
  private int depth;
  private int regexes;

  TemplateParser(String text) {
    this.tokens = new TemplateTokens(text);
  }

  /** All parts; to be called first. */
  List<Part> parts() {
    List<Part> parts = parts(false);
    if (tokens.isInAction()) {
      throw TemplateException.expected("{{if", "{{" + tokens.word());
    }
    return parts;
  }

  /** The labels in the parts that were read. */
  Set<String> labels() {
    return Set.copyOf(labels);
  }

  /** Whether one of them needs the line or the time of a record. */
  boolean isOfRecord() {
    return ofRecord;
  }

  /** Those before one that ends them, which is read up to its word. */
  private List<Part> parts(boolean inside) {
    List<Part> parts = new ArrayList<>();
    while (true) {
      String text = tokens.text();
      if (!text.isEmpty()) {
        parts.add(new Part.Text(text));
      }
      if (!tokens.isInAction()) {
        if (inside) {
          throw TemplateException.expected("{{end}}", "the end of the template");
        }
        return List.copyOf(parts);
      } else if (ENDS.contains(tokens.word())) {
        return List.copyOf(parts);
      }
      parts.add(action());
    }
  }

  private Part action() {
    if (tokens.word().equals("if")) {
      tokens.skip("if");
      return condition();
    } else if (UNSUPPORTED.contains(tokens.word())) {
      throw TemplateException.unsupported(tokens.word());
    }
    Term shown = pipeline();
    tokens.end();
    return new Part.Shown(shown);
  }

  private Part condition() {
    enter();
    Term condition = pipeline();
    tokens.end();
    List<Part> then = parts(true);
    List<Part> otherwise = List.of();
    if (tokens.skip("else")) {
      if (tokens.skip("if")) {
        otherwise = List.of(condition());
        leave();
        return new Part.If(condition, then, otherwise);
      }
      tokens.end();
      otherwise = parts(true);
    }
    if (!tokens.skip("end")) {
      throw TemplateException.expected("{{end}}", "{{" + tokens.word());
    }
    tokens.end();
    leave();
    return new Part.If(condition, then, otherwise);
  }

  private Term pipeline() {
    Term term = command(List.of());
    while (tokens.skip("|")) {
      term = command(List.of(term));
    }
    return term;
  }

  /** A pipe brings the last argument. */
  private Term command(List<Term> piped) {
    String name = tokens.word();
    if (name.isEmpty() || isValue(name)) {
      if (!piped.isEmpty()) {
        throw TemplateException.expected("a function after |", tokens.found());
      }
      return term();
    }
    Function function = function(name);
    List<Term> arguments = new ArrayList<>();
    while (!tokens.isAtClose()) {
      arguments.add(term());
    }
    arguments.addAll(piped);
    return call(function, arguments);
  }

  private static boolean isValue(String word) {
    return Set.of("true", "false", "__line__", "__timestamp__").contains(word);
  }

  private Function function(String name) {
    Function function =
        Functions.named(name).orElseThrow(() -> TemplateException.unsupported(name));
    tokens.skip(name);
    return function;
  }

  private Term call(Function function, List<Term> arguments) {
    if (arguments.size() < function.least() || arguments.size() > function.most()) {
      String wanted =
          function.least() == function.most()
              ? Integer.toString(function.least())
              : function.least() + " or more";
      throw TemplateException.expected(
          wanted + " arguments of " + function.name(), Integer.toString(arguments.size()));
    }
    int depth = 1 + arguments.stream().mapToInt(Term::depth).max().orElse(0);
    check(depth);
    List<Term> read = new ArrayList<>(arguments);
    if (function.ofRegex()) {
      read.set(0, regex(function.name(), arguments.getFirst()));
      regexes++;
    }
    return new Term.Call(function, List.copyOf(read), depth);
  }

  /** A regular expression is read once, not for each record. */
  private static Term regex(String function, Term argument) {
    if (!(argument instanceof Term.Constant(String regex))) {
      throw TemplateException.expected(
          "a regular expression in quotes after " + function, "something else");
    }
    try {
      return new Term.Constant(Substitution.ofParts(regex));
    } catch (PatternException e) {
      throw TemplateException.of(function, e);
    }
  }

  private Term term() {
    if (tokens.skip("(")) {
      enter();
      Term inner = pipeline();
      if (!tokens.skip(")")) {
        throw TemplateException.expected("a )", tokens.found());
      }
      leave();
      return inner;
    }
    String word = tokens.word();
    if (word.isEmpty()) {
      Optional<String> label = tokens.label();
      label.ifPresent(labels::add);
      return label.<Term>map(Term.Label::new).orElseGet(() -> tokens.constant());
    } else if (!isValue(word)) {
      return call(function(word), List.of());
    }
    tokens.skip(word);
    ofRecord |= word.startsWith("__");
    return switch (word) {
      case "__line__" -> new Term.Line();
      case "__timestamp__" -> new Term.Time();
      default -> new Term.Constant(Boolean.valueOf(word));
    };
  }

  private void enter() {
    depth++;
    check(depth);
  }

  /** How many regular expressions it has. */
  int regexes() {
    return regexes;
  }

  private static void check(int depth) {
    if (depth > MAX_DEPTH) {
      throw TemplateException.tooMuch(
          MAX_DEPTH + " conditions, functions or parentheses within each other");
    }
  }

  private void leave() {
    depth--;
  }
}
