package io.cordwood.query.logql;

/**
 * A part of a query.
 *
 * @param text of a string what it stands for, of others as it is written
 * @param at where it begins
 */
record Token(Kind kind, String text, int at) {
  /** The kind of a part. */
  enum Kind {
    NAME,
    STRING,
    /** With a unit, if there is one. */
    NUMBER,
    SIGN,
    END
  }

  boolean is(String sign) {
    return kind == Kind.SIGN && text.equals(sign);
  }

  boolean isName(String name) {
    return kind == Kind.NAME && text.equals(name);
  }

  /** For messages. */
  String shown() {
    return kind == Kind.END ? "the end" : kind == Kind.STRING ? "a string" : '"' + text + '"';
  }
}
