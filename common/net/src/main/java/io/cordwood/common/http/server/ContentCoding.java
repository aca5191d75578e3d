package io.cordwood.common.http.server;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** How a body may be compressed, the one that is preferred first. */
enum ContentCoding {
  ZSTD {
    @Override
    OutputStream over(OutputStream out) throws IOException {
      return new ZstdOutputStreamNoFinalizer(out, LEVEL);
    }
  },
  GZIP {
    @Override
    OutputStream over(OutputStream out) throws IOException {
      return new FastGzip(out);
    }
  };

  /** The fastest of both: an answer is made once and read once. */
  private static final int LEVEL = 1;

  private static final int BUFFER_BYTES = 8 << 10;

  /**
   * Compresses what is written; a flush sends all that was written before it. To be closed, which
   * frees memory outside the heap.
   */
  abstract OutputStream over(OutputStream out) throws IOException;

  String token() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The best one that a client takes.
   *
   * @param accepted an {@code accept-encoding} header
   */
  static Optional<ContentCoding> acceptedBy(String accepted) {
    String[] choices = accepted.toLowerCase(Locale.ROOT).split(",", -1);
    return Arrays.stream(values())
        .filter(coding -> Arrays.stream(choices).anyMatch(coding::isNamedBy))
        .findFirst();
  }

  /** A weight of nought means that the client does not take it: RFC 9110, 12.4.2. */
  private boolean isNamedBy(String choice) {
    String[] parts = choice.split(";", 2);
    return parts[0].strip().equals(token())
        && (parts.length == 1 || !parts[1].strip().matches("q\\s*=\\s*0(\\.0*)?"));
  }

  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream out) throws IOException {
      super(out, BUFFER_BYTES, true);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
