package io.cordwood.dist;

import java.util.List;
import java.util.concurrent.Callable;

/**
 * A command whose usual flags can be set without picocli. What is not taken here is no error: it is
 * left to picocli, together with all that was taken.
 */
interface QuickCommand extends Callable<Integer> {
  /** Sets a flag that stands alone, by any of its names; false if this is none of those. */
  boolean take(String flag);

  /** Sets a flag that has a value; false if this is none of those. */
  boolean take(String flag, String value);

  /** Sets what is no flag; false if the command cannot be called so. */
  boolean takeArguments(List<String> arguments);

  /** Whether it asks a node, so that the environment may say which. */
  boolean asksNode();
}
