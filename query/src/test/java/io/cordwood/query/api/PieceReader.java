package io.cordwood.query.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads an answer that comes in pieces. */
final class PieceReader {
  private static final Pattern BYTES = Pattern.compile("\\{\"bytes\":(\\d+)}");
  private static final Pattern PROGRESS =
      Pattern.compile(
          "\\{\"progress\":\\{\"nodes\":(\\d+),\"blocks\":(\\d+),\"blocks_done\":(\\d+),"
              + "\"bytes\":(\\d+),\"bytes_done\":(\\d+),\"matches\":(\\d+)}}");

  private final InputStream in;
  private final List<Progress> said = new ArrayList<>();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  PieceReader(InputStream in) {
    this.in = in;
  }

  /** How far it was at one moment. */
  record Progress(
      long nodes, long blocks, long blocksDone, long bytes, long bytesDone, long matches) {
    boolean isWhole() {
      return blocksDone == blocks && bytesDone == bytes;
    }
  }

  /** What was said so far, in order. */
  List<Progress> said() {
    return said;
  }

  /** The answer so far, as it would be in one. */
  byte[] bytes() {
    return bytes.toByteArray();
  }

  /** Reads until something is said that fits. */
  Progress await(Predicate<Progress> wanted) throws IOException {
    while (readPiece()) {
      if (!said.isEmpty() && wanted.test(said.getLast())) {
        return said.getLast();
      }
    }
    throw new EOFException("expected more progress behind " + said);
  }

  void readAll() throws IOException {
    boolean more = true;
    while (more) {
      more = readPiece();
    }
  }

  private boolean readPiece() throws IOException {
    String line = line();
    Matcher piece = BYTES.matcher(line);
    Matcher progress = PROGRESS.matcher(line);
    if (piece.matches()) {
      byte[] next = in.readNBytes(Integer.parseInt(piece.group(1)));
      assertThat(next[next.length - 1]).isEqualTo((byte) '\n');
      bytes.writeBytes(next);
    } else if (progress.matches()) {
      long[] numbers = new long[6];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = Long.parseLong(progress.group(i + 1));
      }
      said.add(
          new Progress(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]));
    } else {
      assertThat(line).isEmpty();
    }
    return !line.isEmpty();
  }

  private String line() throws IOException {
    var line = new ByteArrayOutputStream();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      line.write(next);
    }
    return line.toString(StandardCharsets.US_ASCII);
  }
}
