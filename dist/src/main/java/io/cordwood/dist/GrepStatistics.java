package io.cordwood.dist;

import io.cordwood.common.http.CliClient.Answer;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a node said about its answer, in fields that begin with {@code cordwood-}.
 *
 * @param fields by name, without that beginning
 */
record GrepStatistics(Map<String, String> fields) {
  private static final String PREFIX = "cordwood-";

  /** Of an answer whose body was read to its end. */
  static GrepStatistics of(Answer answer) {
    Map<String, String> fields = new TreeMap<>();
    for (Map.Entry<String, List<String>> field : answer.connection().getHeaderFields().entrySet()) {
      String name = field.getKey();
      if (name != null && name.startsWith(PREFIX)) {
        fields.put(name.substring(PREFIX.length()), String.join(", ", field.getValue()));
      }
    }
    return new GrepStatistics(fields);
  }

  void print(PrintStream out) {
    fields.forEach((name, value) -> out.printf("%-18s %s%n", name, value));
  }

  /** Why the answer may lack records, if it may. */
  Optional<String> complaint() {
    String damaged = fields.getOrDefault("blocks-damaged", "0");
    return damaged.equals("0")
        ? Optional.empty()
        : Optional.of(
            "the answer may be incomplete: "
                + damaged
                + " blocks are damaged; 'cordwood segment verify' names them");
  }
}
