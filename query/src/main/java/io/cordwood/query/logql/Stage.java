package io.cordwood.query.logql;

import io.cordwood.query.template.Template;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A part of a query after its selector. */
sealed interface Stage {
  /** Its place in the query. */
  int at();

  /**
   * A text that lines are to have.
   *
   * @param written as it stands in the query
   * @param regexes that are looked for instead of the text, where it is a range of addresses or a
   *     pattern; else none
   */
  record LineText(String written, String text, List<String> regexes) {
    static LineText of(String text) {
      return new LineText(Texts.quoted(text), text, List.of());
    }

    static LineText of(Addresses range) {
      return new LineText(range.toString(), range.written(), range.regexes());
    }

    @Override
    public String toString() {
      return written;
    }
  }

  /**
   * Lines that have one of some texts, or none of them.
   *
   * @param sign {@code |=}, {@code |~} or {@code |>}, or one of these with {@code !}
   */
  record Line(String sign, List<LineText> texts, int at) implements Stage {
    /** Whether {@link #patterns} are regular expressions. */
    boolean isRegex() {
      return sign.endsWith("~") || texts.stream().anyMatch(each -> !each.regexes.isEmpty());
    }

    List<String> patterns() {
      return texts.stream().flatMap(each -> patterns(each).stream()).toList();
    }

    private List<String> patterns(LineText each) {
      boolean asIs = sign.endsWith("~") || !isRegex();
      return each.regexes.isEmpty()
          ? List.of(asIs ? each.text : Texts.asRegex(each.text))
          : each.regexes;
    }

    boolean isNegative() {
      return sign.startsWith("!");
    }

    @Override
    public String toString() {
      return sign
          + " "
          + texts.stream().map(LineText::toString).collect(Collectors.joining(" or "));
    }
  }

  /** The fields of a record become labels. */
  record Parser(String name, int at) implements Stage {
    /** Its field {@link #ENTRY} becomes the line, besides. */
    static final String UNPACK = "unpack";

    /** The field in which Loki's clients pack a line with labels around it. */
    static final String ENTRY = "_entry";

    boolean unpacks() {
      return name.equals(UNPACK);
    }

    @Override
    public String toString() {
      return "| " + name;
    }
  }

  /**
   * Some fields of a record become labels, and no others.
   *
   * @param name {@code json} or {@code logfmt}
   */
  record Fields(String name, List<NamedField> fields, int at) implements Stage {
    @Override
    public String toString() {
      return "| "
          + name
          + " "
          + fields.stream().map(NamedField::toString).collect(Collectors.joining(", "));
    }
  }

  /**
   * Parts of a line become labels.
   *
   * @param name {@code pattern} or {@code regexp}
   * @param text as it is written
   * @param regex whose groups they are, by names that begin with {@link #PREFIX}
   */
  record Capture(String name, String text, List<String> labels, String regex, int at)
      implements Stage {
    /** Groups are called so, as no field is. */
    static final String PREFIX = "cordwood_part_";

    @Override
    public String toString() {
      return "| " + name + " " + Texts.quoted(text);
    }
  }

  /** The number of a label is what is measured. */
  record Unwrap(Measured measured, int at) implements Stage {
    @Override
    public String toString() {
      return measured.toString();
    }
  }

  /** Records whose labels pass. */
  record Filter(LabelTest test, int at) implements Stage {
    @Override
    public String toString() {
      return "| " + test;
    }
  }

  /** Labels that go, or all but these. */
  record Pick(boolean keep, List<Label> labels, int at) implements Stage {
    /**
     * A label.
     *
     * @param value that it has to have, to be one of these; any if empty
     */
    record Label(String name, Optional<LabelMatcher> value) {
      static Label of(String name) {
        return new Label(name, Optional.empty());
      }

      static Label of(LabelMatcher value) {
        return new Label(value.name(), Optional.of(value));
      }

      @Override
      public String toString() {
        return value.map(LabelMatcher::toString).orElse(name);
      }
    }

    /** Whether a label goes, with this value. */
    boolean removes(String name, String value) {
      boolean isOne =
          of(name).stream().anyMatch(e -> e.value.map(m -> m.passes(value)).orElse(true));
      return isOne != keep;
    }

    /** Those that are a label, of some or all values. */
    List<Label> of(String name) {
      return labels.stream().filter(each -> each.name.equals(name)).toList();
    }

    /** Whether a label goes, whatever its value is. */
    boolean removes(String name) {
      return keep ? of(name).isEmpty() : isNamedAlone(name);
    }

    /** Whether a label goes, with some value. */
    boolean mayRemove(String name) {
      return keep ? !isNamedAlone(name) : !of(name).isEmpty();
    }

    private boolean isNamedAlone(String name) {
      return of(name).stream().anyMatch(each -> each.value.isEmpty());
    }

    @Override
    public String toString() {
      return (keep ? "| keep " : "| drop ")
          + labels.stream().map(Label::toString).collect(Collectors.joining(", "));
    }
  }

  /** A new text of the line. */
  record LineFormat(Template template, int at) implements Stage {
    @Override
    public String toString() {
      return "| line_format " + Texts.quoted(template.text());
    }
  }

  /** New values of labels. */
  record LabelFormat(List<Assignment> assignments, int at) implements Stage {
    /**
     * A label of another's value, or of a template.
     *
     * @param renamed the other, which goes then; empty if it is a template
     */
    record Assignment(String name, Optional<String> renamed, Template template) {
      @Override
      public String toString() {
        return name + "=" + renamed.orElseGet(() -> Texts.quoted(template.text()));
      }
    }

    @Override
    public String toString() {
      return "| label_format "
          + assignments.stream().map(Assignment::toString).collect(Collectors.joining(", "));
    }
  }

  /** Colours of terminals go. */
  record Decolorize(int at) implements Stage {
    @Override
    public String toString() {
      return "| decolorize";
    }
  }
}
