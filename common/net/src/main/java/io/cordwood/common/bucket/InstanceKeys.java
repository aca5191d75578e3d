package io.cordwood.common.bucket;

import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.http.client.ForeignClient;
import io.cordwood.common.http.client.ForeignClient.Body;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Credentials of the role that a machine of EC2 has, from its metadata service, version 2. */
final class InstanceKeys implements AccessKeys {
  private static final String USUAL = "http://169.254.169.254";
  private static final String ROLES = "/latest/meta-data/iam/security-credentials/";
  private static final String TOKEN = "X-aws-ec2-metadata-token";
  private static final int OK = 200;
  private static final int MOST_BYTES = 64 << 10;
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final JsonFactory JSON = new JsonFactory();

  /** They are replaced before they end: a call that was signed may take its time. */
  private static final Duration EARLY = Duration.ofMinutes(15);

  private final URI address;
  private final Path usualFile;
  private @Nullable AccessKey known;

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
  public synchronized AccessKey current() throws IOException {
    AccessKey key = known;
    if (key == null || key.endsBefore(Instant.now().plus(EARLY))) {
      key = asked(key);
      known = key;
    }
    return key;
  }

  private AccessKey asked(@Nullable AccessKey before) throws IOException {
    try (ForeignClient client = new ForeignClient(Optional.empty())) {
      String token =
          ask(client, "PUT", "/latest/api/token", "X-aws-ec2-metadata-token-ttl-seconds", "300");
      String role = ask(client, "GET", ROLES, TOKEN, token).lines().findFirst().orElse("").strip();
      return parse(ask(client, "GET", ROLES + role, TOKEN, token));
    } catch (IOException e) {
      if (before != null && !before.endsBefore(Instant.now())) {
        return before;
      }
      throw new BucketException(
          Kind.DENIED,
          "expected credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, in %s or from %s,"
                  .formatted(usualFile, address)
              + " found none: "
              + e.getMessage(),
          e);
    }
  }

  private String ask(ForeignClient client, String method, String path, String name, String value)
      throws IOException {
    var call =
        new ForeignClient.Call(method, address.resolve(path), Map.of(name, value), Body.NONE);
    var answer = client.send(call, MOST_BYTES, TIMEOUT);
    if (answer.status() != OK) {
      throw new IOException(path + " answers " + answer.status());
    }
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  private static AccessKey parse(String json) throws IOException {
    Map<String, String> values = new HashMap<>();
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
      for (JsonToken it = parser.nextToken(); it != null; it = parser.nextToken()) {
        if (it == JsonToken.VALUE_STRING) {
          values.put(parser.currentName(), parser.getString());
        }
      }
    } catch (JacksonException e) {
      throw new IOException("expected credentials as JSON, found something else", e);
    }
    String id = values.get("AccessKeyId");
    String secret = values.get("SecretAccessKey");
    if (id == null || secret == null) {
      throw new IOException("expected AccessKeyId and SecretAccessKey, found neither or one");
    }
    return new AccessKey(
        id, secret, Optional.ofNullable(values.get("Token")), expiry(values.get("Expiration")));
  }

  private static Optional<Instant> expiry(@Nullable String text) throws IOException {
    try {
      return Optional.ofNullable(text).map(Instant::parse);
    } catch (DateTimeException e) {
      throw new IOException("expected a time as Expiration, found " + text, e);
    }
  }

  @Override
  public synchronized void renew() {
    known = null;
  }
}
