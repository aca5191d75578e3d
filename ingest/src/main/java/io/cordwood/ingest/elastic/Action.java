package io.cordwood.ingest.elastic;

import org.jspecify.annotations.Nullable;

/**
 * The action that is asked for one document.
 *
 * @param verb as it stands in the answer, too
 * @param index empty if none is named
 * @param id null if none is given, as the others
 */
record Action(
    Verb verb,
    String index,
    @Nullable String id,
    @Nullable String routing,
    @Nullable String pipeline) {

  /** Documents are only added: {@code index} and {@code create} are the same. */
  enum Verb {
    INDEX("index"),
    CREATE("create"),
    UPDATE("update"),
    DELETE("delete");

    private final String word;

    Verb(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }

    static @Nullable Verb of(String word) {
      for (Verb each : values()) {
        if (each.word.equals(word)) {
          return each;
        }
      }
      return null;
    }

    boolean adds() {
      return this == INDEX || this == CREATE;
    }

    boolean hasDocument() {
      return this != DELETE;
    }
  }
}
