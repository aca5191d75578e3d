package io.cordwood.query.logql;

import io.cordwood.query.fields.GroupField;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A field that becomes a label: {@code agent="request.headers[\"User-Agent\"]"}.
 *
 * @param written where it is, as LogQL has it
 * @param path where it is, as the engine has it
 */
record NamedField(String label, String written, String path) {
  private static final String KEY = "[\\p{L}\\p{N}_$-]+";
  private static final Pattern STEP =
      Pattern.compile("\\.(%s)|\\[\"(%s(?:\\.%s)*)\"]|(\\[\\d{1,6}])".formatted(KEY, KEY, KEY));
  private static final Set<String> TAKEN = Set.of(GroupField.TOPIC, GroupField.SHAPE);

  /** Reads the way to a field: keys with dots between, places and keys in brackets. */
  static NamedField of(String label, String written, int at) {
    String steps = written.startsWith("[") ? written : "." + written;
    var path = new StringBuilder();
    Matcher step = STEP.matcher(steps);
    while (step.lookingAt()) {
      if (step.group(3) == null) {
        path.append(path.isEmpty() ? "" : ".");
        path.append(step.group(1) == null ? step.group(2) : step.group(1));
      } else {
        path.append(step.group(3));
      }
      step.region(step.end(), steps.length());
    }
    boolean beginsWithKey = !path.isEmpty() && path.charAt(0) != '[';
    if (step.regionStart() < steps.length() || !beginsWithKey || TAKEN.contains(path.toString())) {
      throw new LogqlException(
          at, "expected a field such as user.id or tags[0].name, found " + Texts.quoted(written));
    }
    return new NamedField(label, written, path.toString());
  }

  @Override
  public String toString() {
    return label + "=" + Texts.quoted(written);
  }
}
