package io.cordwood.query.fields;

import io.cordwood.query.match.RefusedException;

/** Conditions that are refused. */
public final class WhereException extends RefusedException {
  private static final long serialVersionUID = 1;

  WhereException(String message, boolean tooMuch) {
    super(message, tooMuch);
  }
}
