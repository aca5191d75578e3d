package io.cordwood.common.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.common.access.Caller;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.json.Json;
import io.cordwood.common.text.Durations;
import io.cordwood.common.tls.PeerCertificate;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One request, as its handler sees it. An invalid parameter is answered with 400, which names the
 * parameter, what was expected and what was found.
 */
public final class Request {
  /** Room for as many patterns as a query may have, and for what else it says. */
  private static final int MAX_PARAMS = 1100;

  private static final Pattern OF_JSON = Pattern.compile("application/(x-)?(nd)?json\\b");

  /** Has a character for each byte; what the bytes say is seen when a parameter is asked for. */
  private static final Charset BYTES = ISO_8859_1;

  private final HttpRequest head;
  private final Endpoint endpoint;
  private final BodyInput body;
  private final Caller caller;
  private final String address;
  private final PeerCertificate peer;
  private Map<String, List<String>> parameters = Map.of();

  Request(
      HttpRequest head,
      Endpoint endpoint,
      BodyInput body,
      Caller caller,
      String address,
      PeerCertificate peer) {
    this.caller = caller;
    this.address = address;
    this.head = head;
    this.endpoint = endpoint;
    this.body = body;
    this.peer = peer;
  }

  /**
   * A request of this node to itself, like that of a trusted client.
   *
   * @param query parameters, encoded as in an address
   * @throws HttpError 400 if there is one that the path has not
   */
  public static Request ofOwn(String path, Params params, String query) {
    var none = new BodyInput(0, Duration.ZERO, () -> {}, () -> {});
    none.complete();
    var request =
        new Request(
            new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, path + "?" + query),
            new Endpoint(path, params),
            none,
            Caller.TRUSTED,
            "-",
            PeerCertificate.PLAIN);
    request.checkParams();
    return request;
  }

  /** The caller. */
  public Caller caller() {
    return caller;
  }

  /** The client's address. */
  public String address() {
    return address;
  }

  /** All parameters, for people; bytes that are no text are shown as they can be. */
  String parametersAsText() {
    return parameters.entrySet().stream()
        .flatMap(all -> all.getValue().stream().map(value -> all.getKey() + "=" + value))
        .map(text -> new String(text.getBytes(BYTES), UTF_8))
        .collect(Collectors.joining("&"));
  }

  /** The method, in capitals. */
  public String method() {
    return head.method().name();
  }

  /** The path, decoded, without parameters. */
  public String path() {
    return endpoint.path();
  }

  /** The path as it was asked for, decoded; {@link #path} is that of the route. */
  public String asked() {
    return new QueryStringDecoder(head.uri()).path();
  }

  /** The variable segment of the path as it was asked for, decoded; only if the route has one. */
  public String variable() {
    return endpoint.variableOf(asked());
  }

  /** A header's first value. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(head.headers().get(name));
  }

  /** Whether the client has shown a certificate of the node's authority, with TLS. */
  public boolean verifiedPeer() {
    return peer.verified();
  }

  /** Whether it came over TLS. */
  public boolean secure() {
    return peer.tls();
  }

  /** Whether that certificate is one of a node, and not of a client alone. */
  public boolean verifiedNode() {
    return peer.node();
  }

  /** How long the client says the body is; -1 if it does not. */
  public long contentLength() {
    return HttpUtil.getContentLength(head, -1L);
  }

  /** A parameter's values, in order; empty if it is not given. */
  public List<String> params(String name) {
    return params(name, "");
  }

  /**
   * The same for a parameter that people may want to give bytes in.
   *
   * @param advice for them, after what was expected and found
   */
  public List<String> params(String name, String advice) {
    return parameters.getOrDefault(name, List.of()).stream()
        .map(value -> text(name, value, advice))
        .toList();
  }

  /** All parameters whose names begin so, by the rest of the name. */
  public Map<String, List<String>> paramsThatBegin(String prefix) {
    Map<String, List<String>> found = new LinkedHashMap<>();
    for (String name : parameters.keySet()) {
      if (name.startsWith(prefix)) {
        found.put(text(prefix + "NAME", name, "").substring(prefix.length()), params(name));
      }
    }
    return found;
  }

  private static String text(String name, String bytes, String advice) {
    ByteBuffer in = ByteBuffer.wrap(bytes.getBytes(BYTES));
    try {
      return UTF_8.newDecoder().decode(in).toString();
    } catch (CharacterCodingException e) {
      int found = in.get() & 0xff;
      throw new HttpError(
          400,
          "parameter %s: expected UTF-8, found the byte 0x%02X%s".formatted(name, found, advice));
    }
  }

  /**
   * Reads the parameters of the address; to be called first.
   *
   * @throws HttpError 400 if there are too many, or one that the route has not
   */
  void checkParams() {
    parameters = checked(decode(head.uri(), true));
  }

  /**
   * Reads the parameters in the body, which join those of the address. For what is too long to
   * stand there, and for programs that have them as JSON.
   *
   * @throws HttpError 415 if it is neither a form nor JSON, 400 if it cannot be read
   */
  void takeParams() throws IOException {
    String type = header("content-type").orElse("");
    Map<String, List<String>> all = new LinkedHashMap<>(parameters);
    inBody(type).forEach((name, values) -> all.merge(name, values, Request::joined));
    parameters = checked(all);
  }

  private Map<String, List<String>> inBody(String type) throws IOException {
    return switch (type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT)) {
      case ApiParams.FORM_TYPE -> decode(new String(body.readAllBytes(), BYTES), false);
      case Json.TYPE -> JsonParams.read(body.readAllBytes(), BYTES);
      default ->
          throw new HttpError(
              415,
              "content-type: expected %s or %s, found %s"
                  .formatted(ApiParams.FORM_TYPE, Json.TYPE, shown(type)));
    };
  }

  private static List<String> joined(List<String> some, List<String> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  private static Map<String, List<String>> decode(String text, boolean hasPath) {
    try {
      return QueryStringDecoder.builder()
          .hasPath(hasPath)
          .charset(BYTES)
          .maxParams(MAX_PARAMS + 1)
          .semicolonIsNormalChar(true)
          .build(text)
          .parameters();
    } catch (IllegalArgumentException e) {
      throw new HttpError(400, "parameters: expected %XX escapes, found " + shown(text));
    }
  }

  /** The decoder leaves out what is too much, which would be another question. */
  private Map<String, List<String>> checked(Map<String, List<String>> decoded) {
    int found = decoded.values().stream().mapToInt(List::size).sum();
    if (found > MAX_PARAMS) {
      throw new HttpError(400, "expected at most " + MAX_PARAMS + " parameters, found more");
    }
    for (String name : decoded.keySet()) {
      if (!endpoint.params().has(name)) {
        throw endpoint.params().refusal(endpoint.path(), new String(name.getBytes(BYTES), UTF_8));
      }
    }
    return decoded;
  }

  /** A parameter's only value; given twice, it is answered 400. */
  public Optional<String> param(String name) {
    List<String> values = params(name);
    if (values.size() > 1) {
      throw new HttpError(
          400, "parameter " + name + ": expected one value, found " + values.size());
    }
    return values.isEmpty() ? Optional.empty() : Optional.of(values.getFirst());
  }

  /** A parameter that has to be given. */
  public String requiredParam(String name) {
    return param(name)
        .orElseThrow(() -> new HttpError(400, "parameter " + name + ": expected, found none"));
  }

  /**
   * In words, that the request was meant for another node: one that asks by an old address may
   * reach a node that has taken another's place. Empty if it was not, or does not say.
   *
   * @param self the id of this node
   */
  public Optional<String> misdirected(String self) {
    return param(ApiParams.TO_NODE)
        .filter(meant -> !meant.equals(self))
        .map(meant ->
            "expected a request for node " + self + ", found one for " + HttpError.cut(meant));
  }

  /**
   * Reads what a parameter says.
   *
   * @throws HttpError 400, which names it, if what reads it refuses its text with an {@link
   *     IllegalArgumentException}
   */
  public static <T> T checked(String name, Supplier<T> read) {
    try {
      return read.get();
    } catch (IllegalArgumentException e) {
      throw new HttpError(400, "parameter " + name + ": " + e.getMessage());
    }
  }

  /** A parameter that is a whole number. */
  public OptionalLong longParam(String name) {
    Optional<Long> value = typed(name, "a whole number", Long::valueOf);
    return value.isPresent() ? OptionalLong.of(value.get()) : OptionalLong.empty();
  }

  /** A parameter that is a whole number below 2^31. */
  public OptionalInt intParam(String name) {
    Optional<Integer> value = typed(name, "a whole number below 2147483648", Integer::valueOf);
    return value.isPresent() ? OptionalInt.of(value.get()) : OptionalInt.empty();
  }

  /** A parameter that is a switch: absent is false, present without a value is true. */
  public boolean flag(String name) {
    return typed(name, "true or false", Request::parseFlag).orElse(false);
  }

  /**
   * Whether an answer is wanted as JSON rather than as text: by the parameter {@code format}, or
   * without it by the header {@code accept}.
   */
  public boolean wantsJson() {
    String accepted = acceptsJson() ? "json" : "text";
    String format = param(ApiParams.FORMAT).orElse(accepted);
    return switch (format) {
      case "text" -> false;
      case "json" -> true;
      default ->
          throw new HttpError(
              400, "parameter format: expected text or json, found '" + format + "'");
    };
  }

  /** Whether the header {@code accept} names JSON, or lines of it. */
  public boolean acceptsJson() {
    return header("accept").filter(types -> OF_JSON.matcher(types).find()).isPresent();
  }

  private static boolean parseFlag(String text) {
    return switch (text) {
      case "", "true", "1" -> true;
      case "false", "0" -> false;
      default -> throw new IllegalArgumentException(text);
    };
  }

  /** A parameter that is a length of time, such as {@code 250ms}, {@code 30s}, {@code 2h30m}. */
  public Optional<Duration> durationParam(String name) {
    return typed(name, "a duration such as 250ms, 30s or 2h30m", Durations::parse);
  }

  private <T> Optional<T> typed(String name, String expected, Function<String, T> parse) {
    Optional<String> text = param(name);
    try {
      return text.map(parse);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new HttpError(
          400,
          "parameter " + name + ": expected " + expected + ", found " + shown(text.orElse("")));
    }
  }

  private static String shown(String text) {
    return '"' + HttpError.cut(text) + '"';
  }

  /**
   * The body. Reading blocks until there is more; not reading slows the client. Longer than the
   * route allows is a 413, nothing for the idle time-out a 408, both thrown by the read.
   */
  public InputStream body() {
    return body;
  }

  /**
   * Writes the rest of the body to a channel without copying it on the way.
   *
   * @return bytes written
   */
  public long transferBody(GatheringByteChannel target) throws IOException {
    return body.transferTo(target);
  }
}
