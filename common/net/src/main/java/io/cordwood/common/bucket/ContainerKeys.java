package io.cordwood.common.bucket;

import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.file.FileTrouble;
import io.cordwood.common.file.SmallFile;
import io.cordwood.common.http.client.ForeignClient;
import io.cordwood.common.http.client.ForeignClient.Body;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Credentials of the role of a container or a pod, from an address that its environment names: ECS,
 * and Pod Identity of EKS. The token that this address wants is read from its file each time.
 */
final class ContainerKeys implements RenewedKeys.Source {
  static final String RELATIVE = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI";
  static final String FULL = "AWS_CONTAINER_CREDENTIALS_FULL_URI";
  private static final String TOKEN = "AWS_CONTAINER_AUTHORIZATION_TOKEN";
  private static final String TOKEN_FILE = TOKEN + "_FILE";
  private static final String ECS = "http://169.254.170.2";

  private static final int OK = 200;
  private static final int MOST_BYTES = 64 << 10;
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final Map<String, String> variables;

  ContainerKeys(Map<String, String> variables) {
    this.variables = Map.copyOf(variables);
  }

  static boolean isIn(Map<String, String> variables) {
    return variables.containsKey(RELATIVE) || variables.containsKey(FULL);
  }

  /**
   * The address that is asked.
   *
   * @throws BucketException if it is none, or a token would go over a network without TLS
   */
  static URI address(Map<String, String> variables) throws BucketException {
    @Nullable String relative = variables.get(RELATIVE);
    String text = relative == null ? variables.getOrDefault(FULL, "") : ECS + relative;
    return TokenAddress.of(text, FULL);
  }

  @Override
  public AccessKey ask() throws BucketException {
    try (ForeignClient client = new ForeignClient(Optional.empty())) {
      URI address = address(variables);
      Map<String, String> headers =
          token().<Map<String, String>>map(it -> Map.of("Authorization", it)).orElse(Map.of());
      var call = new ForeignClient.Call("GET", address, headers, Body.NONE);
      var answer = client.send(call, MOST_BYTES, TIMEOUT);
      if (answer.status() != OK) {
        throw new IOException(address + " answers " + answer.status());
      }
      return KeyJson.parse(answer.body());
    } catch (IOException e) {
      throw new BucketException(
          Kind.DENIED,
          "credentials of the container: expected them by %s or %s, found none: %s"
              .formatted(RELATIVE, FULL, e.getMessage()),
          e);
    }
  }

  private Optional<String> token() throws IOException {
    String file = variables.get(TOKEN_FILE);
    if (file == null) {
      return Optional.ofNullable(variables.get(TOKEN)).map(String::strip);
    }
    return Optional.of(read(TOKEN_FILE, file));
  }

  /**
   * Reads a token from a file that a variable names.
   *
   * @throws IOException if there is none; the message names both
   */
  static String read(String variable, String file) throws IOException {
    String token;
    try {
      token = SmallFile.readLatin1(Path.of(file), MOST_BYTES).strip();
    } catch (IOException e) {
      throw new IOException(variable + ": " + FileTrouble.explain(e), e);
    }
    if (token.isEmpty() || !token.chars().allMatch(it -> it > ' ' && it < 0x7F)) {
      throw new IOException(variable + ": expected a token in a line of " + file);
    }
    return token;
  }
}
