package io.cordwood.jmh.load;

import io.cordwood.common.text.Durations;
import io.cordwood.common.text.Sizes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The flags of a command line: {@code --name value}, each at most once. */
final class Flags {
  private final Map<String, String> values = new HashMap<>();

  /**
   * @param known names, without the dashes
   * @throws IllegalArgumentException if anything else stands there
   */
  static Flags parse(String[] args, String... known) {
    var flags = new Flags();
    for (int i = 0; i < args.length; i += 2) {
      String name = args[i].replaceFirst("^--", "");
      if (!List.of(known).contains(name) || i + 1 == args.length) {
        throw new IllegalArgumentException(
            "expected --NAME VALUE with a NAME of %s, found %s"
                .formatted(String.join(" ", known), args[i]));
      }
      if (flags.values.put(name, args[i + 1]) != null) {
        throw new IllegalArgumentException("expected --" + name + " once, found it twice");
      }
    }
    return flags;
  }

  String text(String name, String otherwise) {
    return values.getOrDefault(name, otherwise);
  }

  private String required(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("expected --" + name);
    }
    return value;
  }

  Path path(String name) {
    return Path.of(required(name));
  }

  int port(String name) {
    return Integer.parseInt(required(name));
  }

  int number(String name, int otherwise) {
    return Integer.parseInt(text(name, Integer.toString(otherwise)));
  }

  /** Such as {@code 64K}; bytes. */
  int bytes(String name, String otherwise) {
    return Math.toIntExact(Sizes.parse(text(name, otherwise)));
  }

  /** Such as {@code 2s}. */
  Duration duration(String name, String otherwise) {
    return Durations.parse(text(name, otherwise));
  }
}
