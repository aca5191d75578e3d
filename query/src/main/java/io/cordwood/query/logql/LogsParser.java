package io.cordwood.query.logql;

import io.cordwood.query.logql.LabelMatcher.Operator;
import io.cordwood.query.logql.Stage.LabelFormat.Assignment;
import io.cordwood.query.logql.Token.Kind;
import io.cordwood.query.template.Template;
import io.cordwood.query.template.TemplateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a selector and what follows it:
 *
 * <pre>
 *   logs   = "{" matcher { "," matcher } "}" { stage }
 *   stage  = ( "|=" | "!=" | "|~" | "!~" | "|>" | "!>" ) text { "or" text }
 *          | "|" ( ( "json" | "logfmt" ) [ fields ] | "unpack" | ( "pattern" | "regexp" ) string
 *                | "unwrap" ( name | conversion "(" name ")" )
 *                | "decolorize" | ( "drop" | "keep" ) label { "," label }
 *                | "line_format" string | "label_format" name "=" ( name | string ) … | test )
 *   label  = name [ ( "=" | "!=" | "=~" | "!~" ) string ]
 *   text   = string | "ip" "(" string ")"
 *   fields = name [ "=" string ] { "," name [ "=" string ] }
 *   test   = unary { ( "and" | "," | "or" | nothing ) unary }
 *   unary  = "(" test ")" | name operator ( text | number )
 * </pre>
 */
final class LogsParser {
  private static final Set<String> PARSERS = Set.of("json", "logfmt", Stage.Parser.UNPACK);
  private static final Set<String> UNSUPPORTED = Set.of("distinct");
  private static final Set<String> CONVERSIONS = Set.of("duration", "duration_seconds", "bytes");
  private static final Set<String> LINE_FILTERS = Set.of("|=", "|~", "|>", "!=", "!~", "!>");
  private static final Set<String> OF_ADDRESSES = Set.of("|=", "=", "!=");
  private static final Set<String> OF_NUMBERS = Set.of("==", ">", ">=", "<", "<=");

  private final Tokens tokens;

  LogsParser(Tokens tokens) {
    this.tokens = tokens;
  }

  Expr.Logs logs() {
    Token begin = tokens.expect("{");
    List<LabelMatcher> selector = new ArrayList<>();
    while (!tokens.skip("}")) {
      if (!selector.isEmpty()) {
        if (!tokens.skip(",")) {
          throw tokens.expected("\",\" or \"}\"");
        } else if (tokens.skip("}")) {
          break;
        }
      }
      selector.add(matcher());
    }
    return new Expr.Logs(List.copyOf(selector), stages(), begin.at());
  }

  private LabelMatcher matcher() {
    Token name = tokens.expect(Kind.NAME, "the name of a label");
    Operator operator = operator();
    return LabelMatcher.of(
        name.text(), operator, tokens.expect(Kind.STRING, "a string").text(), name.at());
  }

  private Operator operator() {
    for (Operator operator : Operator.values()) {
      if (tokens.skip(operator.sign())) {
        return operator;
      }
    }
    throw tokens.expected("=, !=, =~ or !~");
  }

  private List<Stage> stages() {
    List<Stage> stages = new ArrayList<>();
    while (true) {
      Token next = tokens.peek();
      if (next.kind() == Kind.SIGN && LINE_FILTERS.contains(next.text())) {
        stages.add(line());
      } else if (tokens.skip("|")) {
        stages.add(piped());
      } else {
        return List.copyOf(stages);
      }
    }
  }

  private Stage line() {
    Token sign = tokens.next();
    List<Stage.LineText> texts = new ArrayList<>();
    do {
      Optional<Addresses> addresses = addresses(sign);
      texts.add(addresses.map(Stage.LineText::of).orElseGet(() -> text(sign)));
    } while (tokens.skipName("or"));
    return new Stage.Line(sign.text(), List.copyOf(texts), sign.at());
  }

  private Stage.LineText text(Token sign) {
    Token text = tokens.expect(Kind.STRING, "a string");
    return sign.text().endsWith(">")
        ? LinePattern.filter(text.text(), text.at())
        : Stage.LineText.of(text.text());
  }

  /** The range in {@code ip("…")}; empty if something else follows. */
  private Optional<Addresses> addresses(Token sign) {
    Token name = tokens.peek();
    if (!tokens.skipName("ip")) {
      return Optional.empty();
    } else if (!OF_ADDRESSES.contains(sign.text())) {
      throw new LogqlException(
          name.at(), "ip after " + sign.text() + " is not supported, only after |=, = and !=");
    }
    tokens.expect("(");
    Token range = tokens.expect(Kind.STRING, "a range of IP addresses");
    tokens.expect(")");
    return Optional.of(Addresses.parse(range.text(), range.at()));
  }

  private Stage piped() {
    Token name = tokens.peek();
    if (name.is("(") || (name.kind() == Kind.NAME && isComparison(tokens.second()))) {
      return filter();
    } else if (name.kind() != Kind.NAME) {
      throw tokens.expected("a stage such as json, or the name of a label");
    }
    return named(name);
  }

  private static boolean isComparison(Token sign) {
    return sign.is("=") || sign.is("=~") || OF_NUMBERS.contains(sign.text());
  }

  private Stage named(Token name) {
    if (PARSERS.contains(name.text())) {
      tokens.next();
      return parser(name);
    } else if (UNSUPPORTED.contains(name.text())) {
      throw tokens.unsupported(name);
    }
    return switch (name.text()) {
      case "decolorize" -> {
        tokens.next();
        yield new Stage.Decolorize(name.at());
      }
      case "pattern" -> {
        tokens.next();
        Token text = tokens.expect(Kind.STRING, "a pattern");
        yield LinePattern.pattern(text.text(), text.at());
      }
      case "regexp" -> {
        tokens.next();
        Token text = tokens.expect(Kind.STRING, "a regular expression");
        yield LinePattern.regexp(text.text(), text.at());
      }
      case "unwrap" -> {
        tokens.next();
        yield new Stage.Unwrap(measured(), name.at());
      }
      case "drop", "keep" -> {
        tokens.next();
        yield new Stage.Pick(name.text().equals("keep"), picked(), name.at());
      }
      case "line_format" -> {
        tokens.next();
        Token text = tokens.expect(Kind.STRING, "a template");
        yield new Stage.LineFormat(template(text), name.at());
      }
      case "label_format" -> {
        tokens.next();
        yield new Stage.LabelFormat(assignments(), name.at());
      }
      default -> filter();
    };
  }

  private Stage parser(Token name) {
    Token next = tokens.peek();
    if (next.is("-") || (next.kind() == Kind.NAME && name.isName(Stage.Parser.UNPACK))) {
      throw new LogqlException(next.at(), "what follows " + name.text() + " is not supported");
    }
    return next.kind() == Kind.NAME
        ? new Stage.Fields(name.text(), fields(), name.at())
        : new Stage.Parser(name.text(), name.at());
  }

  private List<NamedField> fields() {
    List<NamedField> all = new ArrayList<>();
    do {
      Token label = tokens.expect(Kind.NAME, "the name of a label");
      Token field = label;
      if (tokens.skip("=")) {
        field = tokens.expect(Kind.STRING, "a field such as \"user.id\"");
      }
      all.add(NamedField.of(label.text(), field.text(), field.at()));
    } while (tokens.skip(","));
    return List.copyOf(all);
  }

  private Measured measured() {
    Token name = tokens.expect(Kind.NAME, "the name of a label");
    if (!tokens.skip("(")) {
      return new Measured("", name.text());
    } else if (!CONVERSIONS.contains(name.text())) {
      throw new LogqlException(
          name.at(), "expected duration, duration_seconds or bytes, found " + name.shown());
    }
    String label = tokens.expect(Kind.NAME, "the name of a label").text();
    tokens.expect(")");
    return new Measured(name.text(), label);
  }

  private List<Stage.Pick.Label> picked() {
    List<Stage.Pick.Label> all = new ArrayList<>();
    do {
      boolean isOfValue = isOfText(tokens.second()) && !tokens.after(2).isName("ip");
      all.add(
          isOfValue
              ? Stage.Pick.Label.of(matcher())
              : Stage.Pick.Label.of(tokens.expect(Kind.NAME, "the name of a label").text()));
    } while (tokens.skip(","));
    return List.copyOf(all);
  }

  private static boolean isMatch(Token sign) {
    return sign.is("=") || sign.is("=~");
  }

  private List<Assignment> assignments() {
    List<Assignment> all = new ArrayList<>();
    do {
      String name = tokens.expect(Kind.NAME, "the name of a label").text();
      tokens.expect("=");
      Token value = tokens.next();
      all.add(
          switch (value.kind()) {
            case NAME ->
                new Assignment(name, Optional.of(value.text()), Template.ofLabel(value.text()));
            case STRING -> new Assignment(name, Optional.empty(), template(value));
            default ->
                throw new LogqlException(
                    value.at(), "expected a label or a template, found " + value.shown());
          });
    } while (tokens.skip(","));
    return List.copyOf(all);
  }

  private static Template template(Token text) {
    try {
      return Template.parse(text.text());
    } catch (TemplateException e) {
      throw new LogqlException(text.at(), "template: ", e);
    }
  }

  private Stage filter() {
    int at = tokens.peek().at();
    return new Stage.Filter(either(), at);
  }

  private LabelTest either() {
    LabelTest test = both();
    while (tokens.skipName("or")) {
      test = new LabelTest.Or(test, both());
    }
    return test;
  }

  private LabelTest both() {
    LabelTest test = one();
    while (tokens.skipName("and") || tokens.skip(",") || isName(tokens.peek())) {
      test = new LabelTest.And(test, one());
    }
    return test;
  }

  /** Tests without a word between them have both to pass. */
  private static boolean isName(Token token) {
    return token.kind() == Kind.NAME && !token.isName("or");
  }

  private LabelTest one() {
    if (tokens.skip("(")) {
      tokens.enter();
      LabelTest test = either();
      tokens.expect(")");
      tokens.leave();
      return test;
    }
    Token name = tokens.expect(Kind.NAME, "the name of a label");
    Token sign = tokens.next();
    if (sign.kind() != Kind.SIGN || !(OF_NUMBERS.contains(sign.text()) || isOfText(sign))) {
      throw new LogqlException(
          sign.at(), "expected an operator such as = or >, found " + sign.shown());
    }
    Optional<Addresses> addresses = addresses(sign);
    if (addresses.isPresent()) {
      return new LabelTest.OfAddress(name.text(), sign.is("!="), addresses.get());
    }
    boolean ofNumber = OF_NUMBERS.contains(sign.text()) || tokens.peek().kind() != Kind.STRING;
    return ofNumber ? number(name, sign) : text(name, sign);
  }

  private static boolean isOfText(Token sign) {
    return isMatch(sign) || sign.is("!=") || sign.is("!~");
  }

  private LabelTest text(Token name, Token sign) {
    Token value = tokens.next();
    for (Operator operator : Operator.values()) {
      if (sign.is(operator.sign())) {
        return new LabelTest.OfText(
            LabelMatcher.of(name.text(), operator, value.text(), name.at()));
      }
    }
    throw new LogqlException(sign.at(), "expected an operator, found " + sign.shown());
  }

  private LabelTest number(Token name, Token sign) {
    boolean negative = tokens.skip("-");
    Token value = tokens.expect(Kind.NUMBER, "a number, or a string after = != =~ !~");
    if (sign.text().endsWith("~")) {
      throw new LogqlException(value.at(), "expected a string, found " + value.shown());
    }
    Units.check(value);
    String equal = sign.is("=") ? "==" : sign.text();
    return new LabelTest.OfNumber(
        name.text(), equal, (negative ? "-" : "") + value.text(), name.at());
  }
}
