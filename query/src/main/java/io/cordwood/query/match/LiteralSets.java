package io.cordwood.query.match;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The literals of a regular expression: those of which a match must contain some. Literals are kept
 * as strings of one char a byte.
 *
 * @param exact all that the expression can match, conditions not regarded; null if they are too
 *     many
 * @param clauses if exact is null: sets, of each of which a match contains at least one
 * @param pure whether containing one of exact is enough to match
 */
record LiteralSets(
    @Nullable SortedSet<String> exact, List<SortedSet<String>> clauses, boolean pure) {
  static final LiteralSets UNKNOWN = new LiteralSets(null, List.of(), false);

  /** The most literals that stand for one another. */
  static final int MAX_ALTERNATIVES = 16;

  private static final int MAX_LITERAL_BYTES = 512;

  static LiteralSets exactly(SortedSet<String> literals, boolean pure) {
    return literals.size() > MAX_ALTERNATIVES
        ? UNKNOWN
        : new LiteralSets(literals, List.of(), pure);
  }

  static SortedSet<String> setOf(String literal) {
    SortedSet<String> set = new TreeSet<>();
    set.add(literal);
    return set;
  }

  /** The clauses that each match meets, or the one that exact makes. */
  List<SortedSet<String>> required() {
    SortedSet<String> all = exact;
    if (all == null) {
      return clauses;
    }
    SortedSet<String> shortest = withoutLonger(all);
    return shortest.contains("") ? List.of() : List.of(shortest);
  }

  /** The clause that tells most of those that each match meets; empty if there is none. */
  Optional<SortedSet<String>> longestClause() {
    return required().stream().max(Comparator.comparingInt(LiteralSets::shortest));
  }

  private static int shortest(SortedSet<String> clause) {
    return clause.stream().mapToInt(String::length).min().orElse(Integer.MAX_VALUE);
  }

  /** Drops what contains another literal of the set: the shorter one says it already. */
  static SortedSet<String> withoutLonger(SortedSet<String> literals) {
    SortedSet<String> kept = new TreeSet<>();
    for (String each : literals) {
      boolean says = literals.stream().anyMatch(o -> !o.equals(each) && each.contains(o));
      if (!says) {
        kept.add(each);
      }
    }
    return kept;
  }

  /** All of a followed by all of b; null if they are too many or too long. */
  static @Nullable SortedSet<String> product(SortedSet<String> a, SortedSet<String> b) {
    if (a.size() * b.size() > MAX_ALTERNATIVES) {
      return null;
    }
    SortedSet<String> product = new TreeSet<>();
    for (String head : a) {
      for (String tail : b) {
        if (head.length() + tail.length() > MAX_LITERAL_BYTES) {
          return null;
        }
        product.add(head + tail);
      }
    }
    return product;
  }

  /** Collects the literals of things that follow one another. */
  static final class Chain {
    private static final int MAX_CLAUSES = 32;

    private SortedSet<String> run = setOf("");
    private final List<SortedSet<String>> clauses = new ArrayList<>();
    private boolean exact = true;
    private boolean pure = true;

    void add(LiteralSets next) {
      pure &= next.pure;
      SortedSet<String> literals = next.exact;
      SortedSet<String> longer = literals == null ? null : product(run, literals);
      if (longer != null) {
        run = longer;
      } else {
        endRun();
        next.clauses.forEach(this::addClause);
        run = literals == null ? setOf("") : literals;
      }
    }

    void endRun() {
      exact = false;
      SortedSet<String> shortest = withoutLonger(run);
      if (!shortest.contains("")) {
        addClause(shortest);
      }
      run = setOf("");
    }

    private void addClause(SortedSet<String> clause) {
      if (clauses.size() < MAX_CLAUSES && !clauses.contains(clause)) {
        clauses.add(clause);
      }
    }

    LiteralSets end() {
      if (exact) {
        return exactly(run, pure);
      }
      endRun();
      return new LiteralSets(null, clauses, false);
    }
  }
}
