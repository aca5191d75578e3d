package io.cordwood.cli.program;

import java.util.Collection;
import java.util.Collections;
import java.util.List;

/**
 * Flags that make no sense beside others, where neither are of a {@link ExclusiveFlags}.
 *
 * @param flags all names of those of which each excludes the others
 * @param others all of their names
 * @param why for people
 */
public record Exclusion(List<String> flags, List<String> others, String why) {
  /** Whether one of both is among the names of flags that are given. */
  boolean isOf(Collection<String> given) {
    return !Collections.disjoint(flags, given) && !Collections.disjoint(others, given);
  }
}
