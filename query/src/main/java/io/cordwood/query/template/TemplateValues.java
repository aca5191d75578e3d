package io.cordwood.query.template;

import java.time.Instant;
import java.util.function.UnaryOperator;

/**
 * The values that a {@link Template} is filled with.
 *
 * @param labels the value of each by its name; empty if there is none
 */
public record TemplateValues(UnaryOperator<String> labels, String line, Instant time) {
  String label(String name) {
    return labels.apply(name);
  }
}
