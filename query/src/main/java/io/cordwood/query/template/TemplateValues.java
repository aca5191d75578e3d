package io.cordwood.query.template;

import java.time.Instant;

/** The values that a {@link Template} is filled with. */
public interface TemplateValues {
  /** The value of a label; empty if there is none. */
  String label(String name);

  String line();

  Instant time();
}
