package io.cordwood.flags;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Types;

/**
 * One flag: a field that picocli sets.
 *
 * @param names as they are typed, dashes and all
 * @param isSwitch whether it stands alone, without a value
 * @param code what sets it, in Java: statements, in which {@code value} is the text of the value
 * @param value what reads it, in Java: an expression
 * @param isSize whether that is a number of bytes
 */
record Flag(List<String> names, boolean isSwitch, String code, String value, boolean isSize) {
  /** The full name of picocli's annotation. */
  static final String ANNOTATION = "picocli.CommandLine.Option";

  /**
   * The flag of a field; empty if it has none, or one that is hidden, which is for picocli alone.
   *
   * @throws UnknownFlagException if the field is of a kind that nothing is known of
   */
  static Optional<Flag> of(Element field, Types types) {
    Optional<AnnotationMirror> option = annotation(field, ANNOTATION);
    if (option.isEmpty()) {
      return Optional.empty();
    }
    Map<String, Object> values = values(option.get());
    if (Boolean.TRUE.equals(values.get("hidden"))) {
      return Optional.empty();
    }
    if (field.getKind() != ElementKind.FIELD || field.getModifiers().contains(Modifier.PRIVATE)) {
      throw new UnknownFlagException(
          "expected @Option on a field that is not private, found " + field.getModifiers(), field);
    }
    return Optional.of(
        new Flag(
            texts(Objects.requireNonNull(values.get("names"))),
            field.asType().getKind() == TypeKind.BOOLEAN,
            code(field, values, types),
            to(field),
            converter(values).filter(name -> name.endsWith(".SizeValue")).isPresent()));
  }

  private static String to(Element field) {
    return "holder." + field.getSimpleName();
  }

  private static Optional<String> converter(Map<String, Object> values) {
    return values.get("converter") instanceof List<?> converters
        ? Optional.of(converters.getFirst().toString().replaceFirst("\\.class$", ""))
        : Optional.empty();
  }

  private static String code(Element field, Map<String, Object> values, Types types) {
    String to = to(field);
    TypeMirror type = field.asType();
    Element declared = types.asElement(type);
    Optional<String> converter = converter(values);
    if (converter.isPresent()) {
      return setUnlessNull(to, "QuickFlags.read(new " + converter.get() + "(), value)");
    } else if (declared != null && declared.getKind() == ElementKind.ENUM) {
      return setUnlessNull(to, "QuickFlags.named(" + declared + ".values(), value)");
    }
    String name = declared == null ? type.toString() : declared.getSimpleName().toString();
    return switch (name) {
      case "boolean" -> to + " = true;";
      case "String" -> to + " = value;";
      case "Path" -> to + " = java.nio.file.Path.of(value);";
      case "long", "Long" -> setNumber(to, "number");
      case "int", "Integer" -> setNumber(to, "(int) number");
      case "List" ->
          values.get("split") instanceof String split
              ? "%s.addAll(List.of(value.split(\"%s\", -1)));".formatted(to, split)
              : to + ".add(value);";
      default ->
          throw new UnknownFlagException(
              "expected @Option with a converter, or of a type that is known, found " + type,
              field);
    };
  }

  private static String setUnlessNull(String to, String value) {
    return """
    var read = %s;
    if (read == null) {
      return false;
    }
    %s = read;\
    """
        .formatted(value, to);
  }

  private static String setNumber(String to, String number) {
    return """
    long number = QuickFlags.number(value);
    if (number == QuickFlags.NO_NUMBER) {
      return false;
    }
    %s = %s;\
    """
        .formatted(to, number);
  }

  /** The case of a switch over names. */
  String asCase() {
    String labels = names.stream().map(name -> '"' + name + '"').collect(Collectors.joining(", "));
    return "case " + labels + " -> {\n" + code.indent(2) + "}\n";
  }

  /** Code that makes a {@code FlagValue} of it. */
  String asValue() {
    String longest = names.stream().max(Comparator.comparingInt(String::length)).orElseThrow();
    return "new FlagValue(\"%s\", %s, %s)".formatted(longest, value, isSize);
  }

  static Optional<AnnotationMirror> annotation(Element element, String name) {
    return element.getAnnotationMirrors().stream()
        .filter(mirror -> mirror.getAnnotationType().toString().equals(name))
        .<AnnotationMirror>map(mirror -> mirror)
        .findAny();
  }

  private static Map<String, Object> values(AnnotationMirror mirror) {
    return mirror.getElementValues().entrySet().stream()
        .collect(
            Collectors.toMap(each -> nameOf(each.getKey()), each -> each.getValue().getValue()));
  }

  private static String nameOf(ExecutableElement element) {
    return element.getSimpleName().toString();
  }

  private static List<String> texts(Object value) {
    Stream<?> all = value instanceof List<?> list ? list.stream() : Stream.of(value);
    return all.map(each -> each instanceof AnnotationValue one ? one.getValue() : each)
        .map(Object::toString)
        .toList();
  }
}
