package io.cordwood.common.segment;

import io.cordwood.common.ulid.UlidRange;
import java.util.Set;

/** Is told, by a node that gathers an answer, which batches fewer stores gave than should have. */
@FunctionalInterface
public interface CopiesSeen {
  /** Forgets everything. */
  CopiesSeen NONE = (_, _, _) -> {};

  /**
   * At least one batch of the topic whose first ULID is in the range was given by these stores
   * only, though every known store answered in full. A hint and never a proof: what is being
   * consumed or copied just now looks the same, so whoever acts on it asks the stores first.
   *
   * <p>Called by a query's thread behind its last record. Returns at once.
   *
   * @param holders node ids of the stores that gave it; not empty
   */
  void tooFew(Topic topic, UlidRange firstUlids, Set<String> holders);
}
