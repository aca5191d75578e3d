package io.cordwood.common.bucket;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.http.client.ForeignClient;
import io.cordwood.common.http.client.ForeignClient.Body;
import io.cordwood.common.tls.ClientTls;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;

/**
 * Credentials of a role, for a token that says who this is: as pods of EKS have it. The token is
 * read from its file each time, since it is replaced there, and goes to STS over TLS alone.
 */
final class WebIdentityKeys implements RenewedKeys.Source {
  static final String TOKEN_FILE = "AWS_WEB_IDENTITY_TOKEN_FILE";
  static final String ROLE = "AWS_ROLE_ARN";
  private static final String SESSION = "AWS_ROLE_SESSION_NAME";
  private static final String ENDPOINT = "AWS_ENDPOINT_URL";
  private static final String STS = "AWS_ENDPOINT_URL_STS";
  private static final Set<String> EXPIRED = Set.of("ExpiredTokenException", "ExpiredToken");
  private static final Set<String> PASSING =
      Set.of("IDPCommunicationError", "Throttling", "ThrottlingException", "RequestThrottled");
  private static final int OK = 200;
  private static final int FIRST_OF_SERVER = 500;
  private static final int MOST_BYTES = 64 << 10;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final Map<String, String> variables;
  private final String region;
  private final Optional<ClientTls> tls;

  /**
   * @param region whose STS is asked, if no other one is named
   * @param tls for one that is named; Amazon's is trusted as the JVM trusts others
   */
  WebIdentityKeys(Map<String, String> variables, String region, Optional<ClientTls> tls) {
    boolean isNamed = variables.containsKey(ENDPOINT) || variables.containsKey(STS);
    this.variables = Map.copyOf(variables);
    this.region = region;
    this.tls = isNamed ? tls : Optional.empty();
  }

  static boolean isIn(Map<String, String> variables) {
    return variables.containsKey(TOKEN_FILE);
  }

  /**
   * The address of STS.
   *
   * @throws BucketException if it is none, or a token would go over a network without TLS
   */
  static URI address(Map<String, String> variables, String region) throws BucketException {
    String text = "https://sts." + region + ".amazonaws.com";
    for (String variable : new String[] {ENDPOINT, STS}) {
      text = variables.getOrDefault(variable, text);
    }
    return TokenAddress.of(text.endsWith("/") ? text : text + "/", STS + " or " + ENDPOINT);
  }

  @Override
  public AccessKey ask() throws BucketException {
    URI address = address(variables, region);
    String body = body();
    ForeignClient.Answer answer;
    try (ForeignClient client = new ForeignClient(tls)) {
      var headers = Map.of("Content-Type", "application/x-www-form-urlencoded; charset=utf-8");
      var call =
          new ForeignClient.Call("POST", address, headers, new Body.Bytes(body.getBytes(UTF_8)));
      answer = client.send(call, MOST_BYTES, TIMEOUT);
    } catch (IOException e) {
      throw new BucketException(Kind.UNREACHABLE, address + ": " + e.getMessage(), e);
    }
    try {
      Map<String, String> values = S3Xml.leaves(answer.body());
      if (answer.status() != OK) {
        throw refused(address, answer.status(), values);
      }
      return KeyJson.of(values, "SessionToken");
    } catch (BucketException e) {
      throw e;
    } catch (IOException e) {
      Kind kind = answer.status() >= FIRST_OF_SERVER ? Kind.UNREACHABLE : Kind.UNEXPECTED;
      throw new BucketException(
          kind, "%s answers %d: %s".formatted(address, answer.status(), e.getMessage()), e);
    }
  }

  private String body() throws BucketException {
    String role = variables.get(ROLE);
    if (role == null) {
      throw new BucketException(
          Kind.DENIED, "expected " + ROLE + " beside " + TOKEN_FILE + ", found none");
    }
    var form = new StringJoiner("&");
    try {
      add(form, "Action", "AssumeRoleWithWebIdentity");
      add(form, "Version", "2011-06-15");
      add(form, "RoleArn", role);
      add(form, "RoleSessionName", variables.getOrDefault(SESSION, "cordwood"));
      String file = variables.getOrDefault(TOKEN_FILE, "");
      add(form, "WebIdentityToken", ContainerKeys.read(TOKEN_FILE, file));
    } catch (IOException e) {
      throw new BucketException(Kind.DENIED, String.valueOf(e.getMessage()), e);
    }
    return form.toString();
  }

  private static void add(StringJoiner form, String name, String value) {
    form.add(name + "=" + URLEncoder.encode(value, UTF_8));
  }

  private static BucketException refused(URI address, int status, Map<String, String> values) {
    String code = values.getOrDefault("Code", "");
    Kind kind = Kind.DENIED;
    if (EXPIRED.contains(code)) {
      kind = Kind.EXPIRED;
    } else if (status >= FIRST_OF_SERVER || PASSING.contains(code)) {
      kind = Kind.UNREACHABLE;
    }
    return new BucketException(
        kind,
        "%s answers %d %s: %s"
            .formatted(address, status, code, values.getOrDefault("Message", "")));
  }
}
