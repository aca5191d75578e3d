package io.cordwood.query.http;

/** The form of a line of an answer. */
public enum AnswerKind {
  /** Columns. */
  TEXT,
  /** An object; the last one has the verdict. */
  JSON,
  /** Columns as RFC 4180 has them, of tables alone. */
  CSV
}
