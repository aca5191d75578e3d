package io.cordwood.common.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.bucket.S3Server.Fault;
import io.cordwood.common.tls.Certificates;
import io.cordwood.common.tls.ClientTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Credentials of a session, of STS by a web identity, or of a container's address. */
final class SessionKeysTest {
  private static final Instant END = Instant.parse("2126-11-27T00:00:00Z");
  private static final AccessKey EXPECTED =
      new AccessKey("I", "S/+", Optional.of("T"), Optional.of(END));
  private static final String STS =
      """
      <AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
        <AssumeRoleWithWebIdentityResult>
          <AssumedRoleUser><Arn>arn:aws:sts::1:assumed-role/r/s</Arn></AssumedRoleUser>
          <Credentials>
            <SessionToken>T</SessionToken><SecretAccessKey>S/+</SecretAccessKey>
            <Expiration>2126-11-27T00:00:00Z</Expiration><AccessKeyId>I</AccessKeyId>
          </Credentials>
        </AssumeRoleWithWebIdentityResult>
        <ResponseMetadata><RequestId>1</RequestId></ResponseMetadata>
      </AssumeRoleWithWebIdentityResponse>
      """;
  private static final String JSON =
      """
      {"RoleArn":"r","AccessKeyId":"I","SecretAccessKey":"S/+","Token":"T",
       "Expiration":"2126-11-27T00:00:00Z"}
      """;

  @TempDir private Path folder;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final Map<String, String> variables = new HashMap<>();
  private HttpServer server;
  private volatile int status = 200;
  private volatile String answer = "";

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
    variables.put("HOME", folder.toString());
    variables.put("AWS_ROLE_ARN", "arn:aws:iam::1:role/writer");
    variables.put("AWS_ENDPOINT_URL_STS", address());
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String shown = exchange.getRequestHeaders().getFirst("Authorization");
      requests.add(
          "%s %s %s %s"
              .formatted(exchange.getRequestMethod(), exchange.getRequestURI(), shown, body));
      byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private AccessKeys keys() {
    return keys(Optional.empty());
  }

  private AccessKeys keys(Optional<ClientTls> tls) {
    return EnvironmentKeys.of(variables, Optional.empty(), "eu-central-1", tls);
  }

  private Path token(String variable, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(variable), text);
    variables.put(variable, file.toString());
    return file;
  }

  private static void isOf(Kind kind, ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(BucketException.class, e -> assertThat(e.kind()).isEqualTo(kind))
        .hasMessageContaining(message);
  }

  @Test
  void aRoleIsTakenByTheTokenThatStandsInTheFileNow() throws IOException {
    Path file = token("AWS_WEB_IDENTITY_TOKEN_FILE", "first.token\n");
    answer = STS;
    AccessKeys keys = keys();
    assertThat(keys.current()).isEqualTo(EXPECTED);
    assertThat(keys.current()).isEqualTo(EXPECTED);
    Files.writeString(file, "second");
    variables.put("AWS_ROLE_SESSION_NAME", "ignored: the environment of a process is fixed");
    keys.renew();
    assertThat(keys.current()).isEqualTo(EXPECTED);
    assertThat(requests)
        .containsExactly(
            "POST / null Action=AssumeRoleWithWebIdentity&Version=2011-06-15"
                + "&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fwriter&RoleSessionName=cordwood"
                + "&WebIdentityToken=first.token",
            "POST / null Action=AssumeRoleWithWebIdentity&Version=2011-06-15"
                + "&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fwriter&RoleSessionName=cordwood"
                + "&WebIdentityToken=second");
  }

  @Test
  void anStsThatIsNamedIsTrustedByTheAuthoritiesOfThePlace() throws IOException {
    Path node = new Certificates(folder).node();
    ClientTls own =
        ClientTls.of(Optional.empty(), node.resolve("node.pem"), node.resolve("node.key"));
    HttpsServer sts =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    try {
      sts.setHttpsConfigurator(new HttpsConfigurator(own.context()));
      sts.createContext("/", this::handle);
      sts.start();
      token("AWS_WEB_IDENTITY_TOKEN_FILE", "t");
      variables.put("AWS_ENDPOINT_URL_STS", "https://127.0.0.1:" + sts.getAddress().getPort());
      answer = STS;
      var trust = Optional.of(ClientTls.trusting(node.resolve("ca.pem")));
      assertThat(keys(trust).current()).isEqualTo(EXPECTED);
      isOf(Kind.UNREACHABLE, () -> keys().current(), "https://127.0.0.1:");
    } finally {
      sts.stop(0);
    }
  }

  @Test
  void whatStsRefusesIsTold() throws IOException {
    Path file = token("AWS_WEB_IDENTITY_TOKEN_FILE", "secret-token");
    status = 400;
    Map<String, Kind> kinds =
        Map.of(
            "ExpiredTokenException", Kind.EXPIRED,
            "InvalidIdentityToken", Kind.DENIED,
            "IDPCommunicationError", Kind.UNREACHABLE);
    kinds.forEach((code, kind) -> {
      answer =
          "<ErrorResponse><Error><Type>Sender</Type><Code>%s</Code><Message>no.</Message>"
                  .formatted(code)
              + "</Error><RequestId>1</RequestId></ErrorResponse>";
      isOf(kind, () -> keys().current(), "answers 400 " + code + ": no.");
    });
    assertThatThrownBy(() -> keys().current()).hasMessageNotContaining("secret-token");
    status = 503;
    answer = "busy";
    isOf(Kind.UNREACHABLE, () -> keys().current(), "answers 503: expected XML");
    status = 200;
    isOf(Kind.UNEXPECTED, () -> keys().current(), "answers 200: expected XML");
    answer = "<a><AccessKeyId>I</AccessKeyId></a>";
    isOf(Kind.UNEXPECTED, () -> keys().current(), "expected AccessKeyId and SecretAccessKey");
    for (String none : new String[] {"", " \n", "two words", "a\nb"}) {
      Files.writeString(file, none);
      isOf(Kind.DENIED, () -> keys().current(), "AWS_WEB_IDENTITY_TOKEN_FILE: expected a token");
    }
    Files.delete(file);
    isOf(Kind.DENIED, () -> keys().current(), "no such file");
    variables.remove("AWS_ROLE_ARN");
    isOf(Kind.DENIED, () -> keys().current(), "expected AWS_ROLE_ARN beside AWS_WEB_IDENTITY");
  }

  @Test
  void aTokenGoesOverANetworkWithTlsAlone() throws IOException {
    Map<String, String> none = Map.of();
    assertThat(WebIdentityKeys.address(none, "eu-central-1"))
        .hasToString("https://sts.eu-central-1.amazonaws.com/");
    var minio = Map.of("AWS_ENDPOINT_URL", "https://minio:9000");
    assertThat(WebIdentityKeys.address(minio, "x")).hasToString("https://minio:9000/");
    var plain = Map.of("AWS_ENDPOINT_URL", "http://minio:9000");
    isOf(
        Kind.DENIED,
        () -> WebIdentityKeys.address(plain, "x"),
        "AWS_ENDPOINT_URL_STS or AWS_ENDPOINT_URL: expected https://");
    for (String good :
        List.of(
            "https://h/c", "http://169.254.170.23/v1/credentials", "http://[fd00:ec2::23]/v1")) {
      assertThat(ContainerKeys.address(Map.of(ContainerKeys.FULL, good))).hasToString(good);
    }
    assertThat(ContainerKeys.address(Map.of(ContainerKeys.RELATIVE, "/v2/credentials/1")))
        .hasToString("http://169.254.170.2/v2/credentials/1");
    for (String bad :
        List.of("http://10.0.0.1/c", "http://169.254.170.2.evil/c", "", "x y", "f:/")) {
      assertThatThrownBy(() -> ContainerKeys.address(Map.of(ContainerKeys.FULL, bad)))
          .as(bad)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("expected");
    }
  }

  @Test
  void aContainersAddressGivesCredentialsForTheTokenInAFile() throws IOException {
    variables.put(ContainerKeys.FULL, address() + "/v1/credentials");
    answer = JSON;
    assertThat(keys().current()).isEqualTo(EXPECTED);
    variables.put("AWS_CONTAINER_AUTHORIZATION_TOKEN", "given");
    assertThat(keys().current()).isEqualTo(EXPECTED);
    Path file = token("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", "one\n");
    AccessKeys keys = keys();
    assertThat(keys.current()).isEqualTo(EXPECTED);
    Files.writeString(file, "two");
    keys.renew();
    assertThat(keys.current()).isEqualTo(EXPECTED);
    assertThat(requests)
        .containsExactly(
            "GET /v1/credentials null ",
            "GET /v1/credentials given ",
            "GET /v1/credentials one ",
            "GET /v1/credentials two ");
    status = 404;
    isOf(Kind.DENIED, () -> keys().current(), "/v1/credentials answers 404");
  }

  @Test
  void theOrderIsThatOfTheOfficialClients() throws IOException {
    token("AWS_WEB_IDENTITY_TOKEN_FILE", "t");
    variables.put(ContainerKeys.FULL, address() + "/v1/credentials");
    Path usual = folder.resolve(".aws/credentials");
    Files.createDirectories(folder.resolve(".aws"));
    Files.writeString(usual, "[default]\naws_access_key_id=F\naws_secret_access_key=S\n");
    answer = STS;
    variables.put("AWS_ACCESS_KEY_ID", "E");
    variables.put("AWS_SECRET_ACCESS_KEY", "S");
    assertThat(keys().current().id()).isEqualTo("E");
    variables.remove("AWS_ACCESS_KEY_ID");
    assertThat(keys().current().id()).isEqualTo("I");
    variables.remove("AWS_WEB_IDENTITY_TOKEN_FILE");
    assertThat(keys().current().id()).isEqualTo("F");
    Files.delete(usual);
    answer = JSON;
    assertThat(keys().current().id()).isEqualTo("I");
    assertThat(requests).hasSize(2);
  }

  @Test
  void credentialsAreReplacedBeforeTheyEndAndUsedUntilThen() throws IOException {
    var now = new Instant[] {END.minus(Duration.ofHours(1))};
    var given = new String[] {"first"};
    AccessKeys keys =
        new RenewedKeys(
            () -> {
              requests.add("asked");
              if (given[0].isEmpty()) {
                throw new BucketException(Kind.UNREACHABLE, "away");
              }
              return new AccessKey(given[0], "S", Optional.of("T"), Optional.of(END));
            },
            () -> now[0]);
    assertThat(keys.current().id()).isEqualTo("first");
    given[0] = "";
    now[0] = END.minus(Duration.ofMinutes(15));
    assertThat(keys.current().id()).isEqualTo("first");
    assertThat(requests).hasSize(1);
    now[0] = END.minus(Duration.ofMinutes(14));
    assertThat(keys.current().id()).isEqualTo("first");
    assertThat(keys.current().id()).isEqualTo("first");
    assertThat(requests).hasSize(2);
    now[0] = END.minus(Duration.ofMinutes(13));
    assertThat(keys.current().id()).isEqualTo("first");
    assertThat(requests).hasSize(3);
    now[0] = END.plusSeconds(1);
    isOf(Kind.EXPIRED, keys::current, "the credentials have expired, and none replace them: away");
    given[0] = "second";
    assertThat(keys.current().id()).isEqualTo("second");
  }

  @Test
  void aServiceThatCallsThemTooOldHasThemReplacedAndUploadsFailIfTheyCannotBe() throws IOException {
    token("AWS_WEB_IDENTITY_TOKEN_FILE", "t");
    variables.remove("AWS_ENDPOINT_URL");
    answer = STS.replace(">I<", ">" + S3Server.ID + "<").replace("S/+", S3Server.SECRET);
    try (var s3 = new S3Server();
        Bucket bucket = BucketUrl.parse(s3.url("p")).open(variables)) {
      bucket.put("a", ObjectContent.of(new byte[1]));
      s3.fail(Fault.EXPIRED);
      bucket.put("b", ObjectContent.of(new byte[1]));
      assertThat(requests).hasSize(2);
      status = 400;
      answer = "<ErrorResponse><Error><Code>ExpiredTokenException</Code></Error></ErrorResponse>";
      s3.fail(Fault.EXPIRED);
      isOf(
          Kind.EXPIRED,
          () -> bucket.put("c", ObjectContent.of(new byte[1])),
          "answers 400 ExpiredTokenException");
      isOf(Kind.EXPIRED, () -> bucket.listAll(""), "answers 400 ExpiredTokenException");
    }
  }
}
