package io.cordwood.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers in pieces are read as they would be in one. */
final class AnswerPiecesTest {
  private static final String PROGRESS = "{\"progress\":{\"nodes\":1}}";

  private final List<String> told = new ArrayList<>();

  private AnswerPieces pieces(String answer) {
    var in = new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8));
    return new AnswerPieces(
        in,
        new AnswerPieces.Watcher() {
          @Override
          public void progress(String line) {
            told.add(line);
          }

          @Override
          public void piece() {
            told.add("piece");
          }
        });
  }

  private String text(String answer) throws IOException {
    return new String(pieces(answer).readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void whatIsBetweenThePiecesIsTakenOut() throws IOException {
    String answer =
        PROGRESS + "\n{\"bytes\":9}\none\ntwo\n\n" + PROGRESS + "\n{\"bytes\":6}\nthree\n";
    assertThat(text(answer)).isEqualTo("one\ntwo\n\nthree\n");
    assertThat(told).containsExactly(PROGRESS, "piece", PROGRESS, "piece");
  }

  @Test
  void anEmptyAnswerIsOne() throws IOException {
    assertThat(text("")).isEmpty();
    assertThat(text(PROGRESS + "\n")).isEmpty();
  }

  @Test
  void whatIsThereIsOfOnePiece() throws IOException {
    AnswerPieces pieces = pieces("{\"bytes\":4}\none\n{\"bytes\":4}\ntwo\n");
    assertThat(pieces.available()).isZero();
    assertThat(pieces.read()).isEqualTo('o');
    assertThat(pieces.available()).isEqualTo(3);
    assertThat(pieces.readNBytes(3)).hasSize(3);
    assertThat(pieces.available()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"bytes\":5}\none\n",
        "{\"bytes\":-5}\none\n",
        "{\"bytes\":}\none\n",
        "{\"bytes\":4",
        "{\"bytas\":4}\none\n",
        "one\n",
        "\n"
      })
  void whatIsNoPieceIsRefused(String answer) {
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> text(answer));
  }
}
