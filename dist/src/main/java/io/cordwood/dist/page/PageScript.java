package io.cordwood.dist.page;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The page's modules as one script, for a browser that would ask for fifty files, six at a time.
 * Each module becomes a function that is called once, after those that it imports; what it exports
 * is what the function returns.
 *
 * <p>Imports and exports stand on lines of their own, in the forms that the page has. There are no
 * circles, no defaults, and nothing exported changes.
 */
final class PageScript {
  private static final Pattern IMPORT =
      Pattern.compile("import (\\{ .+ }|\\* as \\w+) from \"\\./([\\w.]+)\";");

  private static final Pattern EXPORT_FROM =
      Pattern.compile("export \\{ (\\w+) as (\\w+) } from \"\\./([\\w.]+)\";");

  private static final Pattern EXPORT =
      Pattern.compile("export ((?:async )?(?:function|class|const) (\\w+).*)");

  private final UnaryOperator<String> texts;
  private final Map<String, String> joined = new LinkedHashMap<>();

  private PageScript(UnaryOperator<String> texts) {
    this.texts = texts;
  }

  /**
   * A module with all that it imports.
   *
   * @param texts of modules, by name
   * @throws IllegalStateException if an import or an export has another form, or there is a circle
   */
  static String of(String module, UnaryOperator<String> texts) {
    return String.join("\n", all(module, texts).values());
  }

  /** The names of a module and of all that it imports. */
  static Set<String> modules(String module, UnaryOperator<String> texts) {
    return all(module, texts).keySet();
  }

  private static Map<String, String> all(String module, UnaryOperator<String> texts) {
    var script = new PageScript(texts);
    script.add(module);
    return script.joined;
  }

  private void add(String module) {
    String before = joined.putIfAbsent(module, "");
    if (before != null) {
      if (before.isEmpty()) {
        throw new IllegalStateException(module + " imports itself, by way of others");
      }
      return;
    }
    var exported = new LinkedHashMap<String, String>();
    String body =
        texts
            .apply(module)
            .lines()
            .map(line -> rewritten(module, line, exported))
            .collect(Collectors.joining("\n"));
    String names =
        exported.entrySet().stream()
            .map(name -> name.getKey() + ": " + name.getValue())
            .collect(Collectors.joining(", "));
    joined.remove(module);
    joined.put(
        module,
        "// %s\nconst %s = (() => {\n%s\nreturn { %s };\n})();\n"
            .formatted(module, variable(module), body, names));
  }

  private String rewritten(String module, String line, Map<String, String> exported) {
    if (!line.startsWith("import ") && !line.startsWith("export ")) {
      return line;
    }
    Matcher imports = IMPORT.matcher(line);
    if (imports.matches()) {
      add(imports.group(2));
      String names = imports.group(1);
      String taken = names.startsWith("*") ? names.substring(5) : names.replace(" as ", ": ");
      return "const %s = %s;".formatted(taken, variable(imports.group(2)));
    }
    Matcher from = EXPORT_FROM.matcher(line);
    if (from.matches()) {
      add(from.group(3));
      exported.put(from.group(2), variable(from.group(3)) + "." + from.group(1));
      return "";
    }
    Matcher exports = EXPORT.matcher(line);
    if (!exports.matches()) {
      throw new IllegalStateException(
          "expected an import or export as other modules have it, found in %s: %s"
              .formatted(module, line));
    }
    exported.put(exports.group(2), exports.group(2));
    return exports.group(1);
  }

  private static String variable(String module) {
    return "module_" + module.replace(".js", "");
  }
}
