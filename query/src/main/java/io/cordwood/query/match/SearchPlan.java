package io.cordwood.query.match;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * A way to find candidates: the needles of which each matching record contains one, and whether a
 * candidate has yet to be looked at by the regular expression. Plans are compared by a rough cost,
 * in nanoseconds for each byte searched.
 */
record SearchPlan(List<Needle> needles, boolean verify) {
  /** The cost of the regular expression if it looks at everything. */
  static final double DFA_NANOS_A_BYTE = 1.1;

  private static final double KERNEL_NANOS_A_BYTE = 0.1;
  private static final double CLOSER_LOOK_NANOS = 8;
  private static final double VERIFY_NANOS = 300;
  private static final int MAX_COMMON_PART = 64;

  double nanosAByte() {
    double nanos = 0;
    for (Needle needle : needles) {
      double each = verify ? CLOSER_LOOK_NANOS + VERIFY_NANOS : CLOSER_LOOK_NANOS;
      nanos += KERNEL_NANOS_A_BYTE + each * needle.pairProbability();
    }
    return nanos;
  }

  /** The cheapest plan, if there is one that is worth it. */
  static Optional<SearchPlan> best(LiteralSets exact, LiteralSets folded) {
    List<SearchPlan> plans = new ArrayList<>();
    addPlans(exact, false, plans);
    addPlans(folded, true, plans);
    return plans.stream()
        .filter(plan -> !plan.verify || plan.isWorthIt())
        .min(Comparator.comparingDouble(SearchPlan::nanosAByte));
  }

  /** A single byte is in too many records for any estimate to be trusted. */
  private boolean isWorthIt() {
    return needles.stream().allMatch(needle -> needle.length() > 1)
        && nanosAByte() < DFA_NANOS_A_BYTE;
  }

  private static void addPlans(LiteralSets sets, boolean folded, List<SearchPlan> plans) {
    for (SortedSet<String> clause : sets.required()) {
      if (clause.size() <= Kernels.BEST.mostNeedles()) {
        List<Needle> needles = clause.stream().map(literal -> needle(literal, folded)).toList();
        plans.add(new SearchPlan(needles, !sets.pure()));
      }
      String common = commonPart(clause);
      if (clause.size() > 1 && common.length() > 1) {
        plans.add(new SearchPlan(List.of(needle(common, folded)), true));
      }
    }
  }

  private static Needle needle(String literal, boolean folded) {
    return new Needle(literal.getBytes(StandardCharsets.ISO_8859_1), folded);
  }

  /** The longest string that is part of every literal, as far as it is near the first's start. */
  private static String commonPart(SortedSet<String> literals) {
    String first = literals.isEmpty() ? "" : literals.first();
    int end = Math.min(first.length(), MAX_COMMON_PART);
    for (int length = end; length > 0; length--) {
      for (int i = 0; i + length <= end; i++) {
        String part = first.substring(i, i + length);
        if (literals.stream().allMatch(literal -> literal.contains(part))) {
          return part;
        }
      }
    }
    return "";
  }
}
