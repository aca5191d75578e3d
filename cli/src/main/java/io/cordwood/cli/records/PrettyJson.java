package io.cordwood.cli.records;

import java.io.ByteArrayOutputStream;

/**
 * Records for people: the JSON in them on lines of its own, and texts of several lines in it, such
 * as stack traces, as lines. What is read is bytes, so a record that is broken or no JSON at all
 * passes. Linear in the record.
 */
final class PrettyJson {
  private static final int INDENT = 2;
  private static final int MAX_DEPTH = 100;

  private final byte[] in;
  private final int to;
  private final ByteArrayOutputStream out;
  private int at;
  private int depth;

  private PrettyJson(byte[] in, int from, int to) {
    this.in = in;
    this.at = from;
    this.to = to;
    this.out = new ByteArrayOutputStream(2 * (to - from));
  }

  /** A record in this form, with each object after nothing or a space. */
  static byte[] of(byte[] record, int from, int to) {
    var pretty = new PrettyJson(record, from, to);
    pretty.run();
    return pretty.out.toByteArray();
  }

  private void run() {
    while (at < to) {
      if (depth > 0 || isObject()) {
        step();
      } else {
        out.write(in[at++]);
      }
    }
  }

  /** A brace after nothing or a space, before a name or the other brace. */
  private boolean isObject() {
    if (in[at] != '{' || (out.size() > 0 && in[at - 1] > ' ')) {
      return false;
    }
    int next = behindSpace(at + 1);
    return next < to && (in[next] == '"' || in[next] == '}');
  }

  private int behindSpace(int from) {
    int next = from;
    while (next < to && (in[next] == ' ' || in[next] == '\t' || in[next] == '\n')) {
      next++;
    }
    return next;
  }

  private void step() {
    byte c = in[at++];
    switch (c) {
      case '"' -> text();
      case '{', '[' -> open(c);
      case '}', ']' -> {
        depth--;
        line();
        out.write(c);
        at = depth > 0 ? behindSpace(at) : at;
      }
      case ',' -> {
        out.write(c);
        line();
        at = behindSpace(at);
      }
      case ':' -> {
        out.write(c);
        out.write(' ');
        at = behindSpace(at);
      }
      default -> out.write(c);
    }
  }

  private void open(byte bracket) {
    out.write(bracket);
    at = behindSpace(at);
    if (at < to && (in[at] == '}' || in[at] == ']')) {
      out.write(in[at++]);
      at = depth > 0 ? behindSpace(at) : at;
    } else {
      depth++;
      line();
    }
  }

  private void line() {
    out.write('\n');
    indent();
  }

  private void indent() {
    for (int i = 0; i < INDENT * Math.clamp(depth, 0, MAX_DEPTH); i++) {
      out.write(' ');
    }
  }

  /** A text with its quotes; a line feed or a tab that is written as an escape is one. */
  private void text() {
    out.write('"');
    while (at < to && in[at] != '"') {
      if (in[at] != '\\' || at + 1 == to) {
        out.write(in[at++]);
        continue;
      }
      byte escaped = in[at + 1];
      if (escaped == 'n') {
        line();
      } else if (escaped == 't') {
        out.write('\t');
      } else if (escaped != 'r') {
        out.write('\\');
        out.write(escaped);
      }
      at += 2;
    }
    if (at < to) {
      out.write(in[at++]);
    }
  }
}
