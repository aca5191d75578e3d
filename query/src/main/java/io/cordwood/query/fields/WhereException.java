package io.cordwood.query.fields;

/** Conditions that are refused. The message says where, what was expected and what was found. */
public final class WhereException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  WhereException(String message) {
    super(message);
  }
}
