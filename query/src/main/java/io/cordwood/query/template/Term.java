package io.cordwood.query.template;

import java.util.List;

/** Something that has a value: a text, a number, true or false, or a time. */
sealed interface Term {
  Object value(TemplateValues values);

  /** How many functions are called within each other for it. */
  default int depth() {
    return 0;
  }

  /** The value of a label. */
  record Label(String name) implements Term {
    @Override
    public Object value(TemplateValues values) {
      return values.label(name);
    }
  }

  /** The line as it is so far. */
  record Line() implements Term {
    @Override
    public Object value(TemplateValues values) {
      return values.line();
    }
  }

  /** The record's time. */
  record Time() implements Term {
    @Override
    public Object value(TemplateValues values) {
      return values.time();
    }
  }

  record Constant(Object value) implements Term {
    @Override
    public Object value(TemplateValues values) {
      return value;
    }
  }

  record Call(Function function, List<Term> arguments, int depth) implements Term {
    @Override
    public Object value(TemplateValues values) {
      return function.of(arguments.stream().map(each -> each.value(values)).toList());
    }
  }
}
