package io.cordwood.cli.program;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.IGetter;
import picocli.CommandLine.Model.ISetter;

/** The value of a flag, and where it goes. */
final class Bound<T extends @Nullable Object> implements IGetter, ISetter {
  private T value;
  private final Consumer<T> to;

  Bound(T value, Consumer<T> to) {
    this.value = value;
    this.to = to;
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as picocli has it
  public <V> V get() {
    return (V) value;
  }

  @Override
  @SuppressWarnings("unchecked") // picocli knows the type by that of the flag
  public <V> V set(V fresh) {
    V before = (V) value;
    value = (T) fresh;
    to.accept(value);
    return before;
  }
}
