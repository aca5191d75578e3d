package io.cordwood.query.match;

import io.cordwood.query.match.RegexNode.Choice;
import io.cordwood.query.match.RegexNode.Sequence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Many literals as one tree that shares their beginnings. Without that an automaton would stand at
 * as many places as there are literals, at each start of a record.
 */
final class LiteralTree {
  /** Beginnings that branch deeper than this are not shared: recursion stays shallow. */
  private static final int MAX_DEPTH = 64;

  private LiteralTree() {}

  /**
   * @param literals sequences of characters, as the parser makes them of literals
   */
  static RegexNode of(List<RegexNode> literals) {
    List<List<RegexNode>> rests = new ArrayList<>();
    for (RegexNode literal : literals) {
      rests.add(literal instanceof Sequence sequence ? sequence.parts() : List.of(literal));
    }
    return branch(rests, 0);
  }

  private static RegexNode branch(List<List<RegexNode>> rests, int depth) {
    if (rests.size() == 1 || depth == MAX_DEPTH) {
      return choice(rests.stream().<RegexNode>map(Sequence::new).toList());
    }
    Map<RegexNode, List<List<RegexNode>>> byFirst = new LinkedHashMap<>();
    boolean ends = false;
    for (List<RegexNode> rest : rests) {
      if (rest.isEmpty()) {
        ends = true;
      } else {
        byFirst
            .computeIfAbsent(rest.getFirst(), first -> new ArrayList<>())
            .add(rest.subList(1, rest.size()));
      }
    }
    List<RegexNode> branches = new ArrayList<>();
    byFirst.forEach(
        (first, group) -> branches.add(new Sequence(List.of(first, branch(group, depth + 1)))));
    if (ends) {
      branches.add(RegexNode.EMPTY);
    }
    return choice(branches);
  }

  private static RegexNode choice(List<RegexNode> branches) {
    return branches.size() == 1 ? branches.getFirst() : new Choice(branches);
  }
}
