package io.cordwood.query.scan;

import io.cordwood.common.segment.Segment;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Answers of segments to questions, kept within a bound of memory: of questions that nobody asked
 * lately, all is forgotten once there is no room. Guarded by its owner.
 *
 * @param <Q> a question
 * @param <A> the answer of a segment
 */
final class SegmentAnswers<Q, A> {
  private final long maxBytes;
  private final Map<Q, ToQuestion<A>> byQuestion = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  /**
   * @param maxBytes of memory, roughly
   */
  SegmentAnswers(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** The answers to a question, and the memory that they take until it is forgotten. */
  static final class ToQuestion<A> {
    final Map<Segment, A> bySegment = new WeakHashMap<>();
    private long bytes;
    private boolean forgotten;

    long bytes() {
      return bytes;
    }

    /** Whether what is added is found by nobody who asks later. */
    boolean isForgotten() {
      return forgotten;
    }
  }

  /**
   * The answers that are known, or will be.
   *
   * @param questionBytes the memory of the question
   */
  ToQuestion<A> to(Q question, long questionBytes) {
    ToQuestion<A> known = byQuestion.get(question);
    if (known == null) {
      known = new ToQuestion<>();
      byQuestion.put(question, known);
      grow(known, questionBytes);
    }
    return known;
  }

  /** Counts more memory, or less, and makes room. */
  void grow(ToQuestion<A> answers, long by) {
    if (answers.forgotten) {
      return;
    }
    answers.bytes += by;
    bytes += by;
    Iterator<ToQuestion<A>> eldestFirst = byQuestion.values().iterator();
    while (bytes > maxBytes) {
      ToQuestion<A> eldest = eldestFirst.next();
      eldest.forgotten = true;
      bytes -= eldest.bytes;
      eldestFirst.remove();
    }
  }

  long bytes() {
    return bytes;
  }
}
