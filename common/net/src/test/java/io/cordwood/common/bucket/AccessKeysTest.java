package io.cordwood.common.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where credentials and places come from. */
final class AccessKeysTest {
  @TempDir private Path folder;

  @Test
  void theEnvironmentCountsMoreThanTheUsualFile() throws IOException {
    var variables =
        Map.of(
            "AWS_ACCESS_KEY_ID", "I",
            "AWS_SECRET_ACCESS_KEY", "S",
            "AWS_SESSION_TOKEN", "T",
            "HOME", folder.toString());
    assertThat(
            EnvironmentKeys.of(variables, Optional.empty(), "us-east-1", Optional.empty())
                .current())
        .isEqualTo(new AccessKey("I", "S", Optional.of("T"), Optional.empty()));
  }

  @Test
  void aFileHasASectionForEachProfileAndIsReadAgain() throws IOException {
    Path file = folder.resolve("credentials");
    Files.writeString(
        file,
        """
        [other]
        aws_access_key_id = no
        aws_secret_access_key = no
        [default]
        # ours
        aws_access_key_id = I1
        aws_secret_access_key=S1=
        """);
    AccessKeys keys =
        EnvironmentKeys.of(Map.of(), Optional.of(file), "us-east-1", Optional.empty());
    assertThat(keys.current()).isEqualTo(new AccessKey("I1", "S1="));
    Files.writeString(file, "[default]\naws_access_key_id=I2\naws_secret_access_key=S2\n");
    assertThat(keys.current().id()).isEqualTo("I1");
    keys.renew();
    assertThat(keys.current().id()).isEqualTo("I2");
    assertThatThrownBy(() ->
            EnvironmentKeys.of(
                    Map.of("AWS_PROFILE", "gone"), Optional.of(file), "us-east-1", Optional.empty())
                .current())
        .hasMessageContaining("in a section [gone]");
  }

  @Test
  void aMachineOfEc2GivesTheKeysOfItsRole() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    String roles = "/latest/meta-data/iam/security-credentials/";
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            String path = exchange.getRequestURI().getPath();
            boolean isToken = path.equals("/latest/api/token");
            String shown = exchange.getRequestHeaders().getFirst("X-aws-ec2-metadata-token");
            String answer =
                isToken
                    ? "session"
                    : path.equals(roles)
                        ? "writer\n"
                        : """
                        {"Code":"Success","AccessKeyId":"I","SecretAccessKey":"S",
                         "Token":"T","Expiration":"2126-11-27T00:00:00Z"}
                        """;
            boolean good =
                isToken ? exchange.getRequestMethod().equals("PUT") : "session".equals(shown);
            exchange.sendResponseHeaders(good ? 200 : 401, answer.length());
            exchange.getResponseBody().write(answer.getBytes(StandardCharsets.UTF_8));
          }
        });
    server.start();
    String endpoint = "http://127.0.0.1:" + server.getAddress().getPort();
    var variables =
        Map.of("AWS_EC2_METADATA_SERVICE_ENDPOINT", endpoint, "HOME", folder.toString());
    AccessKeys keys =
        EnvironmentKeys.of(variables, Optional.empty(), "us-east-1", Optional.empty());
    var expected =
        new AccessKey(
            "I", "S", Optional.of("T"), Optional.of(Instant.parse("2126-11-27T00:00:00Z")));
    assertThat(keys.current()).isEqualTo(expected);
    server.stop(0);
    assertThat(keys.current()).isEqualTo(expected);
    keys.renew();
    assertThatThrownBy(keys::current).hasMessageContaining("expected credentials in AWS_ACCESS_");
  }

  @Test
  void aKeyShowsNoSecret() {
    assertThat(new AccessKey("I", "S")).hasToString("I");
  }

  @Test
  void placesHaveTheBucketInTheHostOrInThePath() {
    URI url = URI.create("s3://logs/a/b/");
    S3Place amazon = S3Place.of(url, "", "eu-central-1", "virtual", Map.of());
    assertThat(amazon.scheme() + "://" + amazon.authority() + amazon.objectPath("k"))
        .isEqualTo("https://logs.s3.eu-central-1.amazonaws.com/a/b/k");
    assertThat(amazon.bucketPath()).isEqualTo("/");
    S3Place own = S3Place.of(url, "http://minio:9000/s3/", "us-east-1", "path", Map.of());
    assertThat(own.scheme() + "://" + own.authority() + own.objectPath("k"))
        .isEqualTo("http://minio:9000/s3/logs/a/b/k");
    assertThat(own.bucketPath()).isEqualTo("/s3/logs");
    assertThat(own.url()).isEqualTo("s3://logs/a/b?endpoint=http://minio:9000/s3");
    String regional = "https://s3.eu-central-1.amazonaws.com";
    S3Place same = S3Place.of(url, regional, "us-east-1", "path", Map.of());
    assertThat(same.url()).isEqualTo(amazon.url()).isEqualTo("s3://logs/a/b");
  }

  @Test
  void urlsThatAreNoneAreRefused() {
    for (String url :
        new String[] {
          "",
          "x",
          "http://h/b",
          "s3:///p",
          "file://host/f",
          "file:/",
          "s3://b/p?regin=x",
          "s3://b/p#f",
          "file:///f?region=x"
        }) {
      assertThatIllegalArgumentException().as(url).isThrownBy(() -> BucketUrl.parse(url));
    }
  }

  @Test
  void parametersOfUrlsAreChecked() {
    var variables = S3Server.environment();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BucketUrl.parse("s3://b/p?style=odd").open(variables))
        .withMessageContaining("style=path or style=virtual");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BucketUrl.parse("s3://b/p?endpoint=minio:9000").open(variables))
        .withMessageContaining("http://HOST:PORT");
  }
}
