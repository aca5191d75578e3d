package io.cordwood.cli.alert;

import java.util.Map;

/**
 * An alert of a rule: that of a group, or that the rule cannot be decided.
 *
 * @param group its labels
 */
record AlertKey(Map<String, String> group, boolean undecided) {
  /** The name of the alert of a rule that cannot be decided. */
  static final String UNDECIDED_NAME = "CordwoodCannotTell";

  private static final int STATE_BYTES = 400;
  private static final int LABEL_BYTES = 80;

  static final AlertKey UNDECIDED = new AlertKey(Map.of(), true);

  static AlertKey of(Map<String, String> group) {
    return new AlertKey(group, false);
  }

  /** The memory that an alert takes with its labels, by estimate. */
  int bytes() {
    int chars =
        group.entrySet().stream()
            .mapToInt(label -> label.getKey().length() + label.getValue().length())
            .sum();
    return STATE_BYTES + group.size() * LABEL_BYTES + 2 * chars;
  }

  /** Begins a line about it; empty for all records together. */
  @Override
  public String toString() {
    if (group.isEmpty()) {
      return undecided ? " " + UNDECIDED_NAME : "";
    }
    var text = new StringBuilder(" {");
    group.forEach((name, value) ->
        text.append(text.length() > 2 ? ", " : "")
            .append(name)
            .append("=\"")
            .append(value.replaceAll("\\p{Cntrl}", "?"))
            .append('"'));
    return text.append('}').toString();
  }
}
