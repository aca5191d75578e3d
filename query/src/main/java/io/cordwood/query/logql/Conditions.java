package io.cordwood.query.logql;

import io.cordwood.query.logql.LabelMatcher.Operator;
import java.util.ArrayList;
import java.util.List;

/**
 * Tests of labels as conditions on fields: any of some lists, of which all conditions hold. No list
 * at all is never met.
 */
final class Conditions {
  static final List<List<String>> ALWAYS = List.of(List.of());
  static final List<List<String>> NEVER = List.of();

  /** As many texts a question takes. */
  private static final int MAX_ALTERNATIVES = 100;

  /** A name with more of them is only looked for as it is. */
  private static final int MAX_UNDERSCORES = 3;

  private static final String LEVEL_OF_NONE = "unknown";

  /** Parsing never fails, so these labels are never there. */
  private static final String ERRORS = "__error";

  private final boolean parsed;
  private final LineParts parts;

  /**
   * @param parsed whether a parser came before, which makes user_id of the field id in user
   * @param parts of lines that came before
   */
  Conditions(boolean parsed, LineParts parts) {
    this.parsed = parsed;
    this.parts = parts;
  }

  List<List<String>> of(LabelTest test) {
    return switch (test) {
      case LabelTest.Decided(boolean passes) -> passes ? ALWAYS : NEVER;
      case LabelTest.And(LabelTest left, LabelTest right) -> both(of(left), of(right), 0);
      case LabelTest.Or(LabelTest left, LabelTest right) -> either(of(left), of(right));
      case LabelTest.OfText(LabelMatcher matcher) -> ofText(matcher);
      case LabelTest.OfNumber number -> ofNumber(number);
      case LabelTest.OfAddress address -> ofAddress(address);
    };
  }

  /**
   * Both.
   *
   * @param at where that is asked for, if it is too much
   */
  static List<List<String>> both(List<List<String>> left, List<List<String>> right, int at) {
    if ((long) left.size() * right.size() > MAX_ALTERNATIVES) {
      throw LogqlException.tooMuch(
          at,
          "expected at most %d alternatives of labels, found %d"
              .formatted(MAX_ALTERNATIVES, (long) left.size() * right.size()));
    }
    List<List<String>> all = new ArrayList<>();
    for (List<String> one : left) {
      for (List<String> other : right) {
        List<String> together = new ArrayList<>(one);
        together.addAll(other);
        all.add(together);
      }
    }
    return all;
  }

  private static List<List<String>> either(List<List<String>> left, List<List<String>> right) {
    if (left.equals(ALWAYS) || right.equals(ALWAYS)) {
      return ALWAYS;
    }
    List<List<String>> all = new ArrayList<>(left);
    all.addAll(right);
    return all;
  }

  private List<List<String>> ofText(LabelMatcher matcher) {
    if (matcher.name().equals(Streams.TOPIC) && parts.field(Streams.TOPIC).isEmpty()) {
      throw new LogqlException(
          matcher.at(), "a filter of topic as one of several alternatives is not supported");
    } else if (matcher.name().startsWith(ERRORS)) {
      return matcher.passes("") ? ALWAYS : NEVER;
    }
    if (matcher.name().equals(Streams.LEVEL)) {
      return List.of(List.of(ofLevel(matcher)));
    }
    List<String> names = names(matcher.name());
    if (matcher.passes("")) {
      return List.of(names.stream().map(name -> matcher.condition(name, true)).toList());
    }
    return names.stream().map(name -> List.of(matcher.condition(name, false))).toList();
  }

  /** A record without a level is of an unknown one. */
  private static String ofLevel(LabelMatcher matcher) {
    boolean orAbsent = matcher.passes(LEVEL_OF_NONE);
    LabelMatcher own =
        matcher.operator() == Operator.EQUAL && orAbsent
            ? LabelMatcher.of(matcher.name(), Operator.EQUAL, "", matcher.at())
            : matcher;
    return own.condition("level", orAbsent);
  }

  private List<List<String>> ofNumber(LabelTest.OfNumber test) {
    String value = " " + Units.condition(test.number(), test.at());
    List<List<String>> all = new ArrayList<>();
    for (String name : names(test.name())) {
      switch (test.sign()) {
        case "==" -> all.add(List.of(name + " >=" + value, name + " <=" + value));
        case "!=" -> {
          all.add(List.of(name + " <" + value));
          all.add(List.of(name + " >" + value));
        }
        default -> all.add(List.of(name + " " + test.sign() + value));
      }
    }
    return all;
  }

  private List<List<String>> ofAddress(LabelTest.OfAddress test) {
    List<List<String>> all = new ArrayList<>();
    for (String name : names(test.name())) {
      List<String> conditions =
          test.addresses().regexes().stream()
              .map(regex -> name + (test.negated() ? " !~~ " : " ~~ ") + Texts.quoted(regex))
              .toList();
      all.addAll(test.negated() ? List.of(conditions) : conditions.stream().map(List::of).toList());
    }
    return all;
  }

  /** The fields that a label may be made of. */
  private List<String> names(String name) {
    return parts
        .field(name)
        .map(field -> List.of(Texts.quoted(field)))
        .orElseGet(() -> parsed ? fields(name) : List.of(name));
  }

  /** A name, and with dots for its underscores. */
  static List<String> fields(String name) {
    int underscore = name.indexOf('_', 1);
    if (underscore < 0 || name.chars().filter(c -> c == '_').count() > MAX_UNDERSCORES) {
      return List.of(name);
    }
    String before = name.substring(0, underscore);
    List<String> all = new ArrayList<>();
    for (String rest : fields(name.substring(underscore + 1))) {
      all.add(before + "_" + rest);
      all.add(before + "." + rest);
    }
    return all;
  }
}
