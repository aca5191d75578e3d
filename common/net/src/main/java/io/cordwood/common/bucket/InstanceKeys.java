package io.cordwood.common.bucket;

import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.http.client.ForeignClient;
import io.cordwood.common.http.client.ForeignClient.Body;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Credentials of the role that a machine of EC2 has, from its metadata service, version 2. */
final class InstanceKeys implements RenewedKeys.Source {
  private static final String USUAL = "http://169.254.169.254";
  private static final String ROLES = "/latest/meta-data/iam/security-credentials/";
  private static final String TOKEN = "X-aws-ec2-metadata-token";
  private static final int OK = 200;
  private static final int MOST_BYTES = 64 << 10;
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private final URI address;
  private final Path usualFile;

  /**
   * @param usualFile where credentials might have been, for the message if there are none
   */
  InstanceKeys(URI address, Path usualFile) {
    this.address = address;
    this.usualFile = usualFile;
  }

  static URI address(Map<String, String> variables) {
    return URI.create(variables.getOrDefault("AWS_EC2_METADATA_SERVICE_ENDPOINT", USUAL));
  }

  @Override
  public AccessKey ask() throws BucketException {
    try (ForeignClient client = new ForeignClient(Optional.empty())) {
      String token = text(ask(client, "PUT", "/latest/api/token", TOKEN + "-ttl-seconds", "300"));
      String role = text(ask(client, "GET", ROLES, TOKEN, token));
      role = role.lines().findFirst().orElse("").strip();
      return KeyJson.parse(ask(client, "GET", ROLES + role, TOKEN, token));
    } catch (IOException e) {
      throw new BucketException(
          Kind.DENIED,
          "expected credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, in %s or from %s,"
                  .formatted(usualFile, address)
              + " found none: "
              + e.getMessage(),
          e);
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private byte[] ask(ForeignClient client, String method, String path, String name, String value)
      throws IOException {
    var call =
        new ForeignClient.Call(method, address.resolve(path), Map.of(name, value), Body.NONE);
    var answer = client.send(call, MOST_BYTES, TIMEOUT);
    if (answer.status() != OK) {
      throw new IOException(path + " answers " + answer.status());
    }
    return answer.body();
  }
}
