package io.cordwood.query.logql;

import io.cordwood.query.logql.Token.Kind;
import java.util.List;

/** The parts of a query, one after the other. */
final class Tokens {
  /** Parentheses within each other, which are read by calls within each other. */
  private static final int MAX_DEPTH = 100;

  private final List<Token> all;
  private int at;
  private int depth;

  Tokens(String text) {
    this.all = Lexer.tokens(text);
  }

  Token peek() {
    return all.get(at);
  }

  /** The one after the next. */
  Token second() {
    return after(1);
  }

  /** The one after some others. */
  Token after(int others) {
    return all.get(Math.min(at + others, all.size() - 1));
  }

  Token next() {
    Token next = all.get(at);
    at += next.kind() == Kind.END ? 0 : 1;
    return next;
  }

  boolean skip(String sign) {
    boolean there = peek().is(sign);
    at += there ? 1 : 0;
    return there;
  }

  boolean skipName(String name) {
    boolean there = peek().isName(name);
    at += there ? 1 : 0;
    return there;
  }

  Token expect(String sign) {
    if (!peek().is(sign)) {
      throw expected('"' + sign + '"');
    }
    return next();
  }

  Token expect(Kind kind, String what) {
    if (peek().kind() != kind) {
      throw expected(what);
    }
    return next();
  }

  /** To be called where a thing begins that may hold others of its kind. */
  void enter() {
    depth++;
    if (depth > MAX_DEPTH) {
      throw LogqlException.tooMuch(
          peek().at(), "expected at most " + MAX_DEPTH + " parentheses within each other");
    }
  }

  void leave() {
    depth--;
  }

  LogqlException expected(String what) {
    return new LogqlException(peek().at(), "expected " + what + ", found " + peek().shown());
  }

  /** Something that Loki has. */
  LogqlException unsupported(Token found) {
    return new LogqlException(found.at(), found.text() + " is not supported");
  }
}
