package io.cordwood.query.template;

import io.cordwood.query.match.PatternException;
import io.cordwood.query.match.RefusedException;

/** A text is no template, has something that is not supported, or makes too long a text. */
public final class TemplateException extends RefusedException {
  private static final long serialVersionUID = 1;

  private TemplateException(String message, boolean tooMuch) {
    super(message, tooMuch);
  }

  /** A part of it is refused by who reads that. */
  static TemplateException of(String part, PatternException why) {
    return new TemplateException(part + ": " + why.getMessage(), why.isTooMuch());
  }

  static TemplateException expected(String what, String found) {
    return new TemplateException("expected " + what + ", found " + found, false);
  }

  static TemplateException unsupported(String found) {
    return new TemplateException(found + " is not supported", false);
  }

  static TemplateException tooMuch(String most) {
    return new TemplateException("expected at most " + most + ", found more", true);
  }
}
