package io.cordwood.common.bucket;

import com.sun.net.httpserver.HttpExchange;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Checks requests as S3 does: hash of the body, time, and the signature of what came. */
final class RequestCheck {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final Duration SKEW = Duration.ofMinutes(15);
  private static final Pattern AUTHORIZATION =
      Pattern.compile(
          "AWS4-HMAC-SHA256 Credential=[^/]+/(\\d{8})/([^/]+)/s3/aws4_request,"
              + "SignedHeaders=([^,]+),Signature=([0-9a-f]{64})");

  private final String secret;
  private volatile Duration off = Duration.ZERO;

  RequestCheck(String secret) {
    this.secret = secret;
  }

  void clockOff(Duration by) {
    off = by;
  }

  private Instant now() {
    return Instant.now().plus(off);
  }

  /** The time of this server's clock. */
  String time() {
    return DateTimeFormatter.ISO_INSTANT.format(now());
  }

  /** The code of the error; empty for a request that is signed well. */
  String refusal(HttpExchange exchange, byte[] body) {
    String given = header(exchange, "authorization");
    Matcher parts = AUTHORIZATION.matcher(given);
    List<String> names = parts.matches() ? List.of(parts.group(3).split(";", -1)) : List.of();
    if (!names.contains("host") || !names.contains("x-amz-date")) {
      return "AccessDenied";
    }
    String time = header(exchange, "x-amz-date");
    Duration skew = Duration.between(Instant.from(TIME.parse(time)), now()).abs();
    if (skew.compareTo(SKEW) > 0) {
      return "RequestTimeTooSkewed";
    }
    String payload = header(exchange, "x-amz-content-sha256");
    if (!payload.equals(HexFormat.of().formatHex(sha256(body)))) {
      return "XAmzContentSHA256Mismatch";
    }
    String text =
        "AWS4-HMAC-SHA256\n%s\n%s/%s/s3/aws4_request\n%s"
            .formatted(
                time,
                parts.group(1),
                parts.group(2),
                HexFormat.of()
                    .formatHex(
                        sha256(
                            canonical(exchange, names, payload).getBytes(StandardCharsets.UTF_8))));
    byte[] key = ("AWS4" + secret).getBytes(StandardCharsets.UTF_8);
    for (String step : new String[] {parts.group(1), parts.group(2), "s3", "aws4_request", text}) {
      key = hmac(key, step);
    }
    return HexFormat.of().formatHex(key).equals(parts.group(4)) ? "" : "SignatureDoesNotMatch";
  }

  private static String canonical(HttpExchange exchange, List<String> names, String payload) {
    String query = Objects.requireNonNullElse(exchange.getRequestURI().getRawQuery(), "");
    String headers =
        names.stream()
            .map(name -> name + ":" + header(exchange, name).strip() + "\n")
            .collect(Collectors.joining());
    return String.join(
        "\n",
        exchange.getRequestMethod(),
        exchange.getRequestURI().getRawPath(),
        Stream.of(query.split("&", -1)).sorted().collect(Collectors.joining("&")),
        headers,
        String.join(";", names),
        payload);
  }

  private static String header(HttpExchange exchange, String name) {
    return Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst(name), "");
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
