package io.cordwood.ingest.sender;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.node.RunningNode;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What senders of other things send to the port for lines, and what resembles it: rejected with
 * what to do instead, or stored as the lines that it is.
 */
class ForeignLinesTest extends RunningNodeFixture {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST /x?y HTTP/1.0\nx",
        "PRI * HTTP/2.0\r\n"
      })
  void requestsOfHttpAreRefusedAndNothingOfThemIsStored(String sent) throws IOException {
    assertThat(node.send(sent))
        .startsWith("error: expected lines or batches, found an HTTP request");
    assertThat(node.counted("records_received")).isZero();
    assertThat(node.counted("bytes_rejected", "reason", "http")).isEqualTo(sent.length());
    assertThat(node.files()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "86 <34>1 2026-10-11T22:14:15.003Z host su - ID47 - 'su root' failed for lonvick on /dev/p"
            + "42 <13>1 - - - - - - a second of 40 bytes....",
        "41 <13>1 - - - - - - the one of 40 bytes....",
        "999 <34>1 2026-10-11T22:14:15.003Z host su - ID47 - only the beginning of it"
      })
  void syslogWithLengthsInFrontIsRefusedAndSaysWhatToSet(String sent) throws IOException {
    assertThat(node.send(sent))
        .startsWith("error: expected lines or batches, found syslog with the length in front")
        .contains("TCP_Framing=");
    assertThat(node.counted("bytes_rejected", "reason", "octet_counted")).isEqualTo(sent.length());
    assertThat(node.files()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "123\n",
        "123 <\n",
        "7 <34>hello, which is longer than seven\n",
        "0 <34>1\n",
        "99999999 <34>1\n",
        "500 <34>1 a line that ends here\n",
        "12 <abc>\n",
        "x\n",
        "\0\n",
        "\0\0\0{}q0<\n",
        "\0\0\1\30}{\n",
        "BZ\n"
      })
  void whatOnlyResemblesItIsALine(String sent) throws IOException {
    node.assertStoredAs(sent, sent, 1);
  }

  @ParameterizedTest
  @CsvSource({"true, UTF-16LE", "true, UTF-16BE", "false, UTF-16LE", "false, UTF-16BE"})
  void linesInUtf16AreRefusedAndSaidToBe(boolean marked, String name) throws IOException {
    byte[] sent = ((marked ? "\ufeff" : "") + "ERROR one\ntwo\n").getBytes(Charset.forName(name));
    assertThat(node.send(sent)).startsWith("error: expected lines in UTF-8, found UTF-16: 'iconv");
    assertThat(node.counted("bytes_rejected", "reason", "utf_16")).isEqualTo(sent.length);
    assertThat(node.send(afterPreamble(sent))).startsWith("error: expected lines in UTF-8");
    assertThat(node.files()).isEmpty();
    node.assertLedgerIsExact();
  }

  private static byte[] afterPreamble(byte[] lines) {
    byte[] preamble = "CORDWOOD/1 topic=app\n".getBytes(StandardCharsets.US_ASCII);
    byte[] all = Arrays.copyOf(preamble, preamble.length + lines.length);
    System.arraycopy(lines, 0, all, preamble.length, lines.length);
    return all;
  }

  @ParameterizedTest
  @CsvSource({"gzip, 1f8b0800000000", "zlib, 789c4b04", "zstd, 28b52ffd24", "xz, fd377a585a000004"})
  void whatIsPackedIsRefusedAndSaysWhatToSet(String name, String hex) throws IOException {
    byte[] sent = HexFormat.of().parseHex(hex);
    assertThat(node.send(sent))
        .startsWith("error: expected lines or batches, found " + name)
        .contains("compressionType=OFF");
    assertThat(node.counted("bytes_rejected", "reason", "packed")).isEqualTo(sent.length);
    assertThat(node.send(afterPreamble(sent))).contains("found " + name);
    assertThat(node.files()).isEmpty();
    node.assertLedgerIsExact();
  }

  /** Of Python 2.7, 3.6 and 3.14, and with another protocol. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0000011e 7d7101285804000000",
        "00000118 7d7100285804000000",
        "0001f118 80027d7100285804000000",
        "00000118 80059505010000000000007d",
      })
  void pickledRecordsAreRefusedAndSayWhatToSet(String hex) throws IOException {
    byte[] sent = Arrays.copyOf(HexFormat.of().parseHex(hex.replace(" ", "")), 300);
    assertThat(node.send(sent))
        .startsWith("error: expected lines or batches, found pickled records, as SocketHandler")
        .contains("use SysLogHandler with socktype=socket.SOCK_STREAM");
    assertThat(node.counted("bytes_rejected", "reason", "pickled")).isEqualTo(sent.length);
    assertThat(node.send(afterPreamble(sent))).contains("found pickled records");
    assertThat(node.files()).isEmpty();
    node.assertLedgerIsExact();
  }

  /** As SysLogHandler of Python's logging ends its messages. */
  @Test
  void messagesOfPythonsSysLogHandlerAreRecords() throws IOException {
    node.send("<14>started\0<11>no stock\0");
    assertThat(RunningNode.text(node.consume(2))).isEqualTo("<14>started\n<11>no stock\n");
  }

  @Test
  void afterAPreambleNulsAndRequestsOfHttpAreLines() throws IOException {
    node.send("CORDWOOD/1 topic=nul\n{1}\0{2}\0");
    node.send("CORDWOOD/1 topic=http\nGET / HTTP/1.1\nhost: x\n");
    assertThat(RunningNode.text(node.consume(3)).lines())
        .containsExactlyInAnyOrder("{1}\0{2}\0", "GET / HTTP/1.1", "host: x");
    assertThat(node.counted("nul_ended_connections")).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{1}\0{2}\0{3}\0",
        "{1}\n\0{2}\n\0{3}\n\0",
        "{1}\r\n\0{2}\n\0{3}",
        "{1}\0{2}\0{3}"
      })
  void linesThatEndWithNulAreRecordsAndTheConnectionIsCounted(String sent) throws IOException {
    node.assertStoredAs(sent, sent.contains("\r") ? "{1}\r\n{2}\n{3}\n" : "{1}\n{2}\n{3}\n", 3);
    assertThat(node.counted("nul_ended_connections")).isOne();
  }

  @Test
  void theFirstEventThatEndsWithNulMayComeInPieces() throws IOException {
    try (Socket socket = node.connect()) {
      for (String piece : List.of("{1", "}\0", "{2}\0{3", "}\0")) {
        socket.getOutputStream().write(piece.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
      }
    }
    assertThat(RunningNode.text(node.consume(3))).isEqualTo("{1}\n{2}\n{3}\n");
  }

  @Test
  void nulsInsideOfLinesThatEndWithLfStay() throws IOException {
    node.assertStoredAs("a\0b\nc\0\0d\n\0\n", "a\0b\nc\0\0d\n\0\n", 3);
    assertThat(node.counted("nul_ended_connections")).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET\n",
        "GET / HTTP/1.1 200 12\n",
        "GET HTTP/1.1\n",
        "get / HTTP/1.1\n",
        "127.0.0.1 GET / HTTP/1.1\n",
        "GE\n",
        "GETTING / HTTP/1.1\n"
      })
  void whatOnlyResemblesARequestIsALine(String sent) throws IOException {
    node.assertStoredAs(sent, sent, 1);
  }

  @Test
  void aBeginThatCouldBeARequestIsALineWhenItEnds() throws IOException {
    node.assertStoredAs("GET /", "GET /\n", 1);
  }
}
