package io.cordwood.query.match;

import io.cordwood.query.match.RegexNode.Assertion;
import java.util.Arrays;
import java.util.List;

/**
 * A regular expression as instructions over bytes, for any number of threads of execution in step
 * (Thompson's construction). It searches: execution begins at each character of the record, and
 * nothing but "it matches" comes out.
 */
final class Program {
  /** The most instructions: what bounds the work for a byte and the memory of a state. */
  static final int MAX_INSTRUCTIONS = 32_768;

  enum Op {
    /** Consumes a byte from first to last, goes on at next. */
    RANGE,
    /** Goes on at both next and other. */
    SPLIT,
    /** Goes on at next if a condition holds; other is the index of its kind. */
    ASSERT,
    /** Notes the place as other, of {@link Captures}; goes on at next. */
    SAVE,
    MATCH
  }

  private static final List<Assertion.Kind> KINDS = List.of(Assertion.Kind.values());

  private final Op[] ops;
  private final int[] nexts;
  private final int[] others;
  private final int start;

  private Program(Builder builder, int start) {
    this.ops = Arrays.copyOf(builder.ops, builder.size);
    this.nexts = Arrays.copyOf(builder.nexts, builder.size);
    this.others = Arrays.copyOf(builder.others, builder.size);
    this.start = start;
  }

  int size() {
    return ops.length;
  }

  int start() {
    return start;
  }

  /** The first instruction of a match: the one after the loop that searches. */
  int body() {
    return nexts[start];
  }

  Op op(int pc) {
    return ops[pc];
  }

  int next(int pc) {
    return nexts[pc];
  }

  /** The second target of a split, or the place of a save. */
  int other(int pc) {
    return others[pc];
  }

  int first(int pc) {
    return others[pc] >>> 8;
  }

  int last(int pc) {
    return others[pc] & 0xFF;
  }

  Assertion.Kind kind(int pc) {
    return KINDS.get(others[pc]);
  }

  /** Collects instructions, from the last executed to the first: targets are known when needed. */
  static final class Builder {
    private Op[] ops = new Op[64];
    private int[] nexts = new int[64];
    private int[] others = new int[64];
    private int size;

    int range(int first, int last, int next) {
      return add(Op.RANGE, next, (first << 8) | last);
    }

    int split(int next, int other) {
      return add(Op.SPLIT, next, other);
    }

    int assertion(Assertion.Kind kind, int next) {
      return add(Op.ASSERT, next, KINDS.indexOf(kind));
    }

    int save(int place, int next) {
      return add(Op.SAVE, next, place);
    }

    int match() {
      return add(Op.MATCH, 0, 0);
    }

    /** Gives a split, made for a loop, the target that was not known yet. */
    void setNext(int split, int next) {
      nexts[split] = next;
    }

    void setOther(int split, int other) {
      others[split] = other;
    }

    Program build(int start) {
      return new Program(this, start);
    }

    private int add(Op op, int next, int other) {
      if (size == MAX_INSTRUCTIONS) {
        throw PatternException.tooMuch(
            "pattern: expected a program of at most "
                + MAX_INSTRUCTIONS
                + " instructions, found more (repeat less, or use smaller classes)");
      }
      if (size == ops.length) {
        ops = Arrays.copyOf(ops, 2 * size);
        nexts = Arrays.copyOf(nexts, 2 * size);
        others = Arrays.copyOf(others, 2 * size);
      }
      ops[size] = op;
      nexts[size] = next;
      others[size] = other;
      return size++;
    }
  }
}
