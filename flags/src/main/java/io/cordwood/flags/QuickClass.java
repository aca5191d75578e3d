package io.cordwood.flags;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Element;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;

/**
 * The class to be written for one that has flags. It is in the same package, so that it reaches the
 * fields: {@code QuickContextFlags} for {@code ContextFlags}.
 *
 * @param of the class that has flags
 * @param parents the class and those that it extends, as far as they have flags
 * @param mixins the fields with more flags
 */
record QuickClass(TypeElement of, List<TypeElement> parents, List<Element> mixins) {
  static final String MIXIN = "picocli.CommandLine.Mixin";

  static QuickClass of(TypeElement type, Types types) {
    var parents = new ArrayList<TypeElement>();
    if (types.asElement(type.getSuperclass()) instanceof TypeElement parent && hasFlags(parent)) {
      parents.add(parent);
    }
    return new QuickClass(type, parents, fields(type).filter(field -> has(field, MIXIN)).toList());
  }

  private static boolean hasFlags(TypeElement type) {
    return fields(type).anyMatch(field -> has(field, MIXIN) || has(field, Flag.ANNOTATION));
  }

  private static boolean has(Element element, String annotation) {
    return Flag.annotation(element, annotation).isPresent();
  }

  private static Stream<Element> fields(TypeElement type) {
    return type.getEnclosedElements().stream().<Element>map(each -> each);
  }

  /** The classes whose flags are this one's as well. */
  Stream<TypeElement> others(Types types) {
    return Stream.concat(
        parents.stream(),
        mixins.stream().map(mixin -> (TypeElement) types.asElement(mixin.asType())));
  }

  /** Its name, with its package. */
  static String nameFor(TypeElement type, Elements elements) {
    String folder = elements.getPackageOf(type).getQualifiedName().toString();
    String name = type.getQualifiedName().toString().substring(folder.length() + 1);
    return folder + ".Quick" + name.replace(".", "");
  }

  /**
   * Its source.
   *
   * @throws UnknownFlagException if a field can be set by picocli only
   */
  String source(Types types, Elements elements) {
    String name = nameFor(of, elements);
    int dot = name.lastIndexOf('.');
    List<Flag> flags = fields(of).flatMap(field -> Flag.of(field, types).stream()).toList();
    return """
    package %s;

    import io.cordwood.cli.program.FlagValue;
    import io.cordwood.cli.program.QuickFlags;
    import java.util.List;
    import javax.annotation.processing.Generated;

    /** Sets and shows the flags of {@link %s}. Written from its annotations. */
    @Generated("%s")
    %srecord %s(%s holder) implements QuickFlags {
    %s%s%s%s}
    """
        .formatted(
            name.substring(0, dot),
            of.getQualifiedName(),
            QuickFlagsProcessor.class.getName(),
            of.getModifiers().contains(Modifier.PUBLIC) ? "public " : "",
            name.substring(dot + 1),
            of.getQualifiedName(),
            mixinsMethod(types, elements),
            takeMethod("String flag", flags.stream().filter(Flag::isSwitch).toList()),
            takeMethod(
                "String flag, String value",
                flags.stream().filter(flag -> !flag.isSwitch()).toList()),
            valuesMethod(flags));
  }

  private String mixinsMethod(Types types, Elements elements) {
    Stream<String> own = parents.stream().map(each -> nameFor(each, elements) + "(holder)");
    Stream<String> held =
        mixins.stream()
            .map(each -> {
              if (each.getModifiers().contains(Modifier.PRIVATE)) {
                throw new UnknownFlagException(
                    "expected @Mixin on a field that is not private", each);
              }
              String type = nameFor((TypeElement) types.asElement(each.asType()), elements);
              return type + "(holder." + each.getSimpleName() + ")";
            });
    String all =
        Stream.concat(own, held)
            .map(each -> "new " + each)
            .collect(Collectors.joining(",\n        "));
    return all.isEmpty()
        ? ""
        : method("List<QuickFlags> mixins()", "return List.of(\n        " + all + ");\n");
  }

  private static String takeMethod(String parameters, List<Flag> flags) {
    if (flags.isEmpty()) {
      return "";
    }
    String cases = flags.stream().map(Flag::asCase).collect(Collectors.joining());
    return method(
        "boolean take(" + parameters + ")",
        "switch (flag) {\n"
            + cases.indent(2)
            + "  default -> {\n    return false;\n  }\n}\nreturn true;\n");
  }

  private static String valuesMethod(List<Flag> flags) {
    return flags.isEmpty()
        ? ""
        : method("List<FlagValue> values()", "return List.of(\n" + listed(flags) + ");\n");
  }

  private static String listed(List<Flag> flags) {
    return flags.stream()
        .map(Flag::asValue)
        .collect(Collectors.joining(",\n"))
        .indent(4)
        .stripTrailing();
  }

  private static String method(String signature, String body) {
    return ("\n@Override\npublic " + signature + " {\n" + body.indent(2) + "}\n").indent(2);
  }
}
