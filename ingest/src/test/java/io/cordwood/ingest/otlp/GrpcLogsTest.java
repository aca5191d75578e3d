package io.cordwood.ingest.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UnknownFieldSet;
import io.cordwood.common.access.AuditLog;
import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.access.Refusals;
import io.cordwood.common.access.Scope;
import io.cordwood.common.access.Token;
import io.cordwood.common.access.TokenFile;
import io.cordwood.common.access.TokenText;
import io.cordwood.common.access.Tokens;
import io.cordwood.common.access.TopicPatterns;
import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.FaultyFilesystem.Call;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.http.ForeignPaths;
import io.cordwood.common.http.server.Guard;
import io.cordwood.ingest.node.HttpNode;
import io.cordwood.ingest.node.RunningNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls of OTLP over gRPC, and what they are answered, frame by frame. */
class GrpcLogsTest {
  private static final int HEAD_BYTES = 5;
  private static final byte[] MESSAGE = OtlpAnswersTest.request("a").toByteArray();

  private final OkHttpClient client =
      new OkHttpClient.Builder().protocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE)).build();

  @TempDir Path folder;
  private HttpNode http;
  private volatile boolean failing;

  @BeforeEach
  void start() throws Exception {
    var files = new FaultyFilesystem((call, _) -> call == Call.FORCE && failing);
    http = new HttpNode(RunningNode.options(folder), files);
  }

  @AfterEach
  void close() throws Exception {
    client.connectionPool().evictAll();
    client.dispatcher().executorService().shutdown();
    http.close();
  }

  /**
   * An answer.
   *
   * @param status of gRPC
   * @param only whether it stands in headers, and nothing comes after them
   */
  private record Answer(String status, String message, boolean only, Response http, byte[] body) {}

  private Answer call(String path, byte[] body, Map<String, String> headers) throws IOException {
    var request =
        new Request.Builder()
            .url("http://127.0.0.1:" + http.port() + path)
            .header("content-type", "application/grpc")
            .header("te", "trailers")
            .header("grpc-timeout", "10S")
            .post(RequestBody.create(body, null));
    headers.forEach(request::header);
    try (Response answer = client.newCall(request.build()).execute()) {
      assertThat(answer.code()).isEqualTo(200);
      assertThat(answer.header("content-type")).isEqualTo("application/grpc");
      byte[] message = answer.body().bytes();
      boolean only = answer.header("grpc-status") != null;
      var where = only ? answer.headers() : answer.trailers();
      return new Answer(
          String.valueOf(where.get("grpc-status")),
          String.valueOf(where.get("grpc-message")),
          only,
          answer,
          message);
    }
  }

  private Answer call(byte[] body, Map<String, String> headers) throws IOException {
    return call(ForeignPaths.OTLP_GRPC, body, headers);
  }

  private static byte[] framed(int flag, int length, byte[] message) {
    return ByteBuffer.allocate(HEAD_BYTES + message.length)
        .put((byte) flag)
        .putInt(length)
        .put(message)
        .array();
  }

  private static byte[] framed(int flag, byte[] message) {
    return framed(flag, message.length, message);
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  @Test
  void aCallThatIsStoredIsAnsweredWithAnEmptyMessageAndZero() throws Exception {
    Map<String, String> packed = Map.of("grpc-encoding", "gzip");
    for (Answer answer :
        List.of(
            call(framed(0, MESSAGE), Map.of()),
            call(framed(0, MESSAGE), packed),
            call(framed(1, gzip(MESSAGE)), packed))) {
      assertThat(answer.status()).isEqualTo("0");
      assertThat(answer.only()).isFalse();
      assertThat(answer.body()).isEqualTo(new byte[HEAD_BYTES]);
    }
    assertThat(RunningNode.text(http.node.consume(3))).isEqualTo("a\na\na\n");
  }

  @Test
  void callsAndRequestsOfOtherProtocolsMayShareAConnection() throws Exception {
    var lines =
        new Request.Builder()
            .url("http://127.0.0.1:" + http.port() + "/ingest")
            .post(RequestBody.create("b\n".getBytes(StandardCharsets.US_ASCII), null))
            .build();
    assertThat(call(framed(0, MESSAGE), Map.of()).status()).isEqualTo("0");
    try (Response answer = client.newCall(lines).execute()) {
      assertThat(answer.code()).isEqualTo(200);
    }
    assertThat(call(framed(0, MESSAGE), Map.of()).status()).isEqualTo("0");
    assertThat(client.connectionPool().connectionCount()).isEqualTo(1);
    assertThat(RunningNode.text(http.node.consume(3)).lines())
        .containsExactlyInAnyOrder("a", "b", "a");
  }

  @Test
  void whatIsNotAsItMustBeIsAnInvalidArgument() throws Exception {
    byte[] whole = framed(0, MESSAGE);
    for (int length = 0; length < whole.length; length++) {
      Answer answer = call(Arrays.copyOf(whole, length), Map.of());
      assertThat(answer.status()).as("%d: %s", length, answer.message()).isEqualTo("3");
      assertThat(answer.only()).isTrue();
    }
    byte[] two = Arrays.copyOf(whole, 2 * whole.length);
    System.arraycopy(whole, 0, two, whole.length, whole.length);
    assertThat(call(two, Map.of()).status()).isEqualTo("3");
    assertThat(call(framed(7, MESSAGE), Map.of()).status()).isEqualTo("3");
    byte[] packed = gzip(MESSAGE);
    Map<String, String> gzip = Map.of("grpc-encoding", "gzip");
    for (int length = 0; length < packed.length; length++) {
      byte[] cut = Arrays.copyOf(packed, length);
      assertThat(call(framed(1, cut), gzip).status()).as("%d", length).isEqualTo("3");
    }
    assertThat(call(framed(0, MESSAGE), Map.of("x-scope-orgid", "a")).status()).isEqualTo("3");
    http.node.assertLedgerIsExact();
  }

  @Test
  void whatIsNotKnownIsNotImplemented() throws Exception {
    String other = ForeignPaths.OTLP_GRPC.replace("logs", "trace").replace("Logs", "Trace");
    assertThat(call(other, framed(0, MESSAGE), Map.of()).status()).isEqualTo("12");
    Answer answer = call(framed(1, MESSAGE), Map.of("grpc-encoding", "lzma"));
    assertThat(answer.status()).isEqualTo("12");
    assertThat(answer.http().header("grpc-accept-encoding")).contains("gzip");
  }

  @Test
  void whatIsTooLongExhaustsAResource() throws Exception {
    assertThat(call(framed(0, -1, MESSAGE), Map.of()).status()).isEqualTo("8");
    byte[] bomb = new byte[100 << 20];
    byte[] head = {15 << 3 | 2, (byte) 0xf0, (byte) 0xff, (byte) 0xff, 0x2f};
    System.arraycopy(head, 0, bomb, 0, head.length);
    Answer answer = call(framed(1, gzip(bomb)), Map.of("grpc-encoding", "gzip"));
    assertThat(answer.status()).isEqualTo("8");
    assertThat(answer.message()).contains("67108864 bytes");
  }

  @Test
  void notNowIsUnavailableAndSaysWhenToComeAgain() throws Exception {
    failing = true;
    Answer answer = call(framed(0, MESSAGE), Map.of());
    failing = false;
    assertThat(answer.status()).isEqualTo("14");
    assertThat(answer.message()).contains("the disk cannot force");
    byte[] details = Base64.getDecoder().decode(answer.http().header("grpc-status-details-bin"));
    var status = UnknownFieldSet.parseFrom(details);
    assertThat(status.getField(1).getVarintList()).containsExactly(14L);
    var any = UnknownFieldSet.parseFrom(status.getField(3).getLengthDelimitedList().getFirst());
    assertThat(any.getField(1).getLengthDelimitedList().getFirst().toStringUtf8())
        .isEqualTo("type.googleapis.com/google.rpc.RetryInfo");
    var info = UnknownFieldSet.parseFrom(any.getField(2).getLengthDelimitedList().getFirst());
    var delay = UnknownFieldSet.parseFrom(info.getField(1).getLengthDelimitedList().getFirst());
    assertThat(delay.getField(1).getVarintList()).containsExactly(5L);
  }

  private static Token token(String text, Scope scope) {
    return Token.of(scope.name(), text, Set.of(scope), TopicPatterns.ALL);
  }

  @Test
  void whoHasNoTokenIsUnauthenticatedAndWhoHasAnotherIsDenied() throws Exception {
    close();
    Path file = folder.resolve("tokens");
    String sender = TokenText.random();
    String reader = TokenText.random();
    TokenFile.write(file, List.of(token(sender, Scope.INGEST), token(reader, Scope.QUERY)));
    try (Tokens known = Tokens.of(file, InstantSource.system(), new SimpleMeterRegistry())) {
      var refusals = new Refusals(new SimpleMeterRegistry(), AuditLog.NONE);
      http =
          new HttpNode(
              RunningNode.options(folder.resolve("guarded")),
              Filesystem.real(),
              new Guard(known, NodeKeys.NONE, refusals, AuditLog.NONE));
      byte[] call = framed(0, MESSAGE);
      Answer none = call(call, Map.of());
      assertThat(none.status()).isEqualTo("16");
      assertThat(none.only()).isTrue();
      assertThat(none.message()).startsWith("expected a token").endsWith("found none");
      assertThat(call(call, bearer(TokenText.random())).status()).isEqualTo("16");
      Answer denied = call(call, bearer(reader));
      assertThat(denied.status()).isEqualTo("7");
      assertThat(denied.only()).isTrue();
      assertThat(denied.message()).contains("scope ingest");
      assertThat(call(call, bearer(sender)).status()).isEqualTo("0");
      assertThat(RunningNode.text(http.node.consume(1))).isEqualTo("a\n");
    }
  }

  private static Map<String, String> bearer(String token) {
    return Map.of("authorization", "Bearer " + token);
  }

  @Test
  void aMessageInOtherCharactersIsEncoded() throws Exception {
    Answer answer =
        call(ForeignPaths.OTLP_GRPC + "?durability=%C3%A9%25", framed(0, MESSAGE), Map.of());
    assertThat(answer.status()).isEqualTo("3");
    assertThat(answer.message()).endsWith("found %C3%A9%25");
    assertThat(new String(MESSAGE, StandardCharsets.UTF_8)).contains("a");
  }
}
