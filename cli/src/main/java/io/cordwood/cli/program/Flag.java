package io.cordwood.cli.program;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** A flag of a {@link FlagList}, or an argument, while it is described. */
public final class Flag {
  private final Consumer<Flag> add;
  private String label = "VALUE";
  private String[] help = {};
  private boolean hidden;
  private String separator = "";
  private ITypeConverter<?>[] converters = {};
  private Class<?> type = String.class;
  private @Nullable Class<?> element;
  private Bound<?> bound = new Bound<>("", _ -> {});

  Flag(Consumer<Flag> add) {
    this.add = add;
  }

  /** The name of its value in the help. */
  public Flag label(String name) {
    label = name;
    return this;
  }

  /** Its text in the help. */
  public Flag help(String... lines) {
    help = lines;
    return this;
  }

  /** Keeps it out of the help. */
  public Flag hidden() {
    hidden = true;
    return this;
  }

  /** Has one word hold several values. */
  public Flag split(String by) {
    separator = by;
    return this;
  }

  /** Binds it as a switch, which is off at first. */
  public void on(Consumer<Boolean> set) {
    value(boolean.class, false, set);
  }

  /**
   * Binds its value.
   *
   * @param initial what it is if nothing sets it
   */
  public <T extends @Nullable Object> void value(Class<?> of, T initial, Consumer<T> set) {
    type = of;
    bound = new Bound<T>(initial, set);
    add.accept(this);
  }

  /** Binds its value, which a converter reads. */
  public <T extends @Nullable Object> void value(
      Class<?> of, ITypeConverter<?> converter, T initial, Consumer<T> set) {
    converters = new ITypeConverter<?>[] {converter};
    value(of, initial, set);
  }

  /** Binds a length of time. */
  public <T extends @Nullable Duration> void duration(T initial, Consumer<T> set) {
    value(Duration.class, new Values.DurationValue(), initial, set);
  }

  /** Binds a number of bytes. */
  public <T extends @Nullable Long> void size(T initial, Consumer<T> set) {
    value(Long.class, new Values.SizeValue(), initial, set);
  }

  /** Binds a number of something, 0 or more. */
  public <T extends @Nullable Long> void count(T initial, Consumer<T> set) {
    value(Long.class, new Values.CountValue(), initial, set);
  }

  /** Binds the values of all times that it is given. */
  public <T> void list(Class<T> of, List<T> initial, Consumer<List<T>> set) {
    element = of;
    value(List.class, initial, set);
  }

  /** Binds the values of all times that it is given, which a converter reads. */
  public <T> void list(
      Class<T> of, ITypeConverter<T> converter, List<T> initial, Consumer<List<T>> set) {
    converters = new ITypeConverter<?>[] {converter};
    list(of, initial, set);
  }

  private Class<?>[] types() {
    return element == null ? new Class<?>[] {type} : new Class<?>[] {element};
  }

  OptionSpec named(@Nullable ExclusiveFlags group, String... names) {
    return OptionSpec.builder(names)
        .paramLabel(label)
        .description(help)
        .hidden(hidden)
        .splitRegex(separator)
        .converters(converters)
        .type(type)
        .auxiliaryTypes(types())
        .getter(bound)
        .setter(bound)
        .initialValue(bound.get())
        .userObject(group == null ? this : group)
        .build();
  }

  PositionalParamSpec at(String index, String arity) {
    return PositionalParamSpec.builder()
        .index(index)
        .arity(arity)
        .required(!arity.startsWith("0"))
        .paramLabel(label)
        .description(help)
        .converters(converters)
        .type(type)
        .auxiliaryTypes(types())
        .getter(bound)
        .setter(bound)
        .initialValue(bound.get())
        .build();
  }
}
