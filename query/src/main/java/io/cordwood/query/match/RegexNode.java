package io.cordwood.query.match;

import java.util.List;

/**
 * A regular expression as a tree. Case folding and flags are resolved by the parser. Whether a
 * repetition is greedy does not matter to whether a record matches, but to what its groups match.
 */
sealed interface RegexNode {
  /** Matches the empty string. */
  RegexNode EMPTY = new Sequence(List.of());

  int UNBOUNDED = -1;

  /** One character of a set. */
  record Chars(CodePoints set) implements RegexNode {}

  /** A condition on the place between two characters. */
  record Assertion(Kind kind) implements RegexNode {
    enum Kind {
      RECORD_START,
      RECORD_END,
      LINE_START,
      LINE_END,
      WORD_BORDER,
      NO_WORD_BORDER,
      /**
       * Not written by users: no word character is right before. An automaton over bytes takes
       * those beyond ASCII for none; {@link SubMatches} knows better.
       */
      WORD_BEGINS,
      /** Not written by users: no word character is right after. */
      WORD_ENDS,
      /** Not written by users: the next byte does not continue a character. */
      CHARACTER_ENDS
    }
  }

  record Sequence(List<RegexNode> parts) implements RegexNode {}

  record Choice(List<RegexNode> branches) implements RegexNode {}

  /** The body from min to max times in a row; max may be {@link #UNBOUNDED}. */
  record Repeat(RegexNode body, int min, int max, boolean greedy) implements RegexNode {}

  /** A group with a name, of which {@link Captures} says what it matches; others leave it out. */
  record Group(RegexNode body, int index) implements RegexNode {}
}
