package io.cordwood.common.bucket;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.http.client.ForeignClient;
import io.cordwood.common.tls.ClientTls;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says where objects are: {@code file:///FOLDER}, or {@code s3://BUCKET/PREFIX} with parameters
 * after a question mark: {@code endpoint} and {@code region} of the service, {@code style} of its
 * addresses ({@code path} or {@code virtual}), {@code ca} and {@code credentials} for files, {@code
 * sse} and {@code sse-key} for how the service encrypts. Both may have {@code key}, a file of keys
 * by which objects are encrypted here.
 */
public final class BucketUrl {
  private static final String FORMS = "expected file:///FOLDER or s3://BUCKET/PREFIX, found ";
  private static final String KEY = "key";
  private static final Set<String> PARAMETERS =
      Set.of("endpoint", "region", "style", "ca", "credentials", "sse", "sse-key", KEY);

  private final String text;
  private final URI uri;
  private final Map<String, String> parameters;

  private BucketUrl(String text, URI uri, Map<String, String> parameters) {
    this.text = text;
    this.uri = uri;
    this.parameters = parameters;
  }

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException if it is none; the message says what was expected
   */
  public static BucketUrl parse(String text) {
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(FORMS + text, e);
    }
    String scheme = uri.getScheme() == null ? "" : uri.getScheme();
    String path = uri.getPath() == null ? "" : uri.getPath();
    String host = uri.getAuthority() == null ? "" : uri.getAuthority();
    boolean isFolder = scheme.equals("file") && path.length() > 1 && host.isEmpty();
    boolean isS3 = scheme.equals("s3") && !host.isEmpty();
    if (uri.getFragment() != null || (!isFolder && !isS3)) {
      throw new IllegalArgumentException(FORMS + text);
    }
    Map<String, String> parameters = parameters(uri.getRawQuery(), text);
    if (isFolder && !Set.of(KEY).containsAll(parameters.keySet())) {
      throw new IllegalArgumentException(
          "expected no parameter of a folder but key=, found " + text);
    }
    return new BucketUrl(text, uri, parameters);
  }

  private static Map<String, String> parameters(@Nullable String query, String text) {
    Map<String, String> parameters = new HashMap<>();
    for (String each : query == null ? new String[0] : query.split("&")) {
      int equals = each.indexOf('=');
      String name = equals < 0 ? each : each.substring(0, equals);
      if (equals < 0 || !PARAMETERS.contains(name)) {
        throw new IllegalArgumentException(
            "expected endpoint=, region=, style=, ca=, credentials=, sse=, sse-key= or key=,"
                + " found \""
                + each
                + "\" in "
                + text);
      }
      parameters.put(name, URLDecoder.decode(each.substring(equals + 1), StandardCharsets.UTF_8));
    }
    return parameters;
  }

  /**
   * This, if an endpoint and a style are ones that there can be.
   *
   * @throws IllegalArgumentException if not; the message says what was expected
   */
  public BucketUrl checked() {
    if (!isFolder()) {
      var _ = place(System.getenv());
    }
    return this;
  }

  /**
   * Opens it; makes no request.
   *
   * @throws IOException if a file that it names cannot be read
   */
  public Bucket open() throws IOException {
    return open(System.getenv());
  }

  /** Opens it in another environment. */
  Bucket open(Map<String, String> variables) throws IOException {
    String key = parameters.get(KEY);
    return key == null
        ? openPlain(variables)
        : new EncryptedBucket(openPlain(variables), EncryptionKeys.read(Path.of(key)));
  }

  private Bucket openPlain(Map<String, String> variables) throws IOException {
    if (isFolder()) {
      return new FolderBucket(Path.of(uri.getPath()), Filesystem.real());
    }
    Optional<ClientTls> tls = tls();
    AccessKeys keys =
        EnvironmentKeys.of(
            variables,
            Optional.ofNullable(parameters.get("credentials")).map(Path::of),
            region(variables),
            tls);
    return new S3Bucket(place(variables), keys, new ForeignClient(tls));
  }

  /** Opens it with credentials that a service has to refuse. */
  public Bucket openWithWrongSecret() throws IOException {
    Map<String, String> variables = new HashMap<>(System.getenv());
    var key = new AccessKey("AKIDOFNOBODY", "wrong");
    return new S3Bucket(place(variables), new EnvironmentKeys.Fixed(key), new ForeignClient(tls()));
  }

  /** Whether it is a folder. */
  public boolean isFolder() {
    return uri.getScheme().equals("file");
  }

  private Optional<ClientTls> tls() throws IOException {
    String ca = parameters.get("ca");
    return ca == null ? Optional.empty() : Optional.of(ClientTls.trusting(Path.of(ca)));
  }

  private String region(Map<String, String> variables) {
    return first(
        "us-east-1",
        parameters.get("region"),
        variables.get("AWS_REGION"),
        variables.get("AWS_DEFAULT_REGION"));
  }

  private S3Place place(Map<String, String> variables) {
    String endpoint =
        first(
            "",
            parameters.get("endpoint"),
            variables.get("AWS_ENDPOINT_URL_S3"),
            variables.get("AWS_ENDPOINT_URL"));
    String style = first(endpoint.isEmpty() ? "virtual" : "path", parameters.get("style"));
    Map<String, String> putHeaders = new HashMap<>();
    add(putHeaders, "x-amz-server-side-encryption", "sse");
    add(putHeaders, "x-amz-server-side-encryption-aws-kms-key-id", "sse-key");
    return S3Place.of(uri, endpoint, region(variables), style, putHeaders);
  }

  private void add(Map<String, String> headers, String header, String parameter) {
    String value = parameters.get(parameter);
    if (value != null) {
      headers.put(header, value);
    }
  }

  private static String first(String usual, @Nullable String... values) {
    for (@Nullable String value : values) {
      if (value != null && !value.isBlank()) {
        return value;
      }
    }
    return usual;
  }

  /** As it was given; it holds no secret. */
  @Override
  public String toString() {
    return text;
  }
}
