package io.cordwood.query.template;

import java.util.List;

/** A part of a template. */
sealed interface Part {
  void write(TemplateValues values, BoundedText made);

  /** Stands for itself. */
  record Text(String text) implements Part {
    @Override
    public void write(TemplateValues values, BoundedText made) {
      made.append(text);
    }
  }

  /** The value of a term. */
  record Shown(Term term) implements Part {
    @Override
    public void write(TemplateValues values, BoundedText made) {
      made.append(Value.text(term.value(values)));
    }
  }

  /** One of two lists of parts. */
  record If(Term condition, List<Part> then, List<Part> otherwise) implements Part {
    @Override
    public void write(TemplateValues values, BoundedText made) {
      List<Part> chosen = Value.isTrue(condition.value(values)) ? then : otherwise;
      chosen.forEach(part -> part.write(values, made));
    }
  }
}
