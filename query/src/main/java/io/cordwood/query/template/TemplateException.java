package io.cordwood.query.template;

import io.cordwood.query.match.RefusedException;

/** A text is no template, has something that is not supported, or makes too long a text. */
public final class TemplateException extends RefusedException {
  private static final long serialVersionUID = 1;

  private TemplateException(String message, boolean tooMuch) {
    super(message, tooMuch);
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
