package io.cordwood.ingest.segment;

import io.cordwood.common.ulid.Ulid;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** The state of an ingest segment, which is the extension of its file's name. */
enum IngestSegmentState {
  /** Being uploaded whole; worth nothing until it is flushed, and deleted by a start. */
  UPLOADING,
  /** Being appended to by one event loop. */
  ACTIVE,
  /** Active, in a file that held another segment, of which more may follow. */
  REUSED,
  /** Forced, and waiting for a store to claim it. */
  FLUSHED,
  /** Claimed by a store, under a lease. */
  PENDING,
  /** Given to no store, since none could store it, until a person releases it. */
  QUARANTINED,
  /** Committed; the file may be reused. */
  SPARE;

  private final String extension = "." + name().toLowerCase(Locale.ROOT);

  /** A segment's identity and state, as its file's name gives them. */
  record Name(Ulid id, IngestSegmentState state) {
    String fileName() {
      return id + state.extension;
    }

    /** Reads a file's name; empty if it is no segment's, to the letter. */
    static Optional<Name> of(Path file) {
      String text = String.valueOf(file.getFileName());
      for (IngestSegmentState state : values()) {
        String id = text.substring(0, Math.min(Ulid.CHARS, text.length()));
        if (text.endsWith(state.extension) && Ulid.isValid(id)) {
          var name = new Name(Ulid.parse(id), state);
          return name.fileName().equals(text) ? Optional.of(name) : Optional.empty();
        }
      }
      return Optional.empty();
    }
  }
}
