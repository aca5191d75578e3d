package io.cordwood.query.http;

import io.cordwood.query.gather.MultiPassQuery;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.BiConsumer;

/** A question that a node asks itself, read already. */
@FunctionalInterface
public interface OwnQuestion {
  /**
   * Answers it.
   *
   * @param out takes what would be the body of an answer over HTTP
   * @param field takes what its trailers would say, besides verdict and matches
   * @return how many matches there are
   */
  long answer(MultiPassQuery passes, OutputStream out, BiConsumer<String, String> field)
      throws IOException;
}
