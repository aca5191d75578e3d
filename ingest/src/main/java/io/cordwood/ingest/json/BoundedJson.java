package io.cordwood.ingest.json;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * How JSON of senders is read: at most 100 values in each other, 16 MiB a text, 1,000 digits a
 * number, 64 KiB a name. A parser does not close what it reads from.
 */
public final class BoundedJson {
  private static final int MAX_DEPTH = 100;
  private static final int MAX_TEXT_CHARS = 16 << 20;
  private static final int MAX_NUMBER_CHARS = 1000;
  private static final int MAX_NAME_CHARS = 64 << 10;

  /** For all threads. */
  public static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxStringLength(MAX_TEXT_CHARS)
                  .maxNumberLength(MAX_NUMBER_CHARS)
                  .maxNameLength(MAX_NAME_CHARS)
                  .build())
          .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
          .build();

  private BoundedJson() {}
}
