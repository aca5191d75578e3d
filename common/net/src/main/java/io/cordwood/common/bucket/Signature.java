package io.cordwood.common.bucket;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests to S3, by version 4 of Amazon's signatures: "Authenticating Requests: Using the
 * Authorization Header" in the reference of the S3 API.
 */
final class Signature {
  private static final String ALGORITHM = "AWS4-HMAC-SHA256";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final int DAY_CHARS = 8;

  private Signature() {}

  /**
   * A request before it is signed.
   *
   * @param path encoded, as it goes over the wire
   * @param query not encoded
   * @param headers by names in small letters, {@code host} among them
   * @param payloadSha256 of the body, in hexadecimal digits
   */
  record Request(
      String method,
      String path,
      SortedMap<String, String> query,
      SortedMap<String, String> headers,
      String payloadSha256) {
    /** The encoded parameters, in the order in which they are signed; empty if there are none. */
    String queryText() {
      SortedMap<String, String> encoded = new TreeMap<>();
      query.forEach((name, value) -> encoded.put(encode(name, false), encode(value, false)));
      return encoded.entrySet().stream()
          .map(it -> it.getKey() + "=" + it.getValue())
          .collect(Collectors.joining("&"));
    }
  }

  /** The headers of a request with those that sign it. */
  static SortedMap<String, String> sign(
      Request request, AccessKey key, String region, Instant time) {
    String now = TIME.format(time);
    SortedMap<String, String> headers = new TreeMap<>(request.headers);
    headers.put("x-amz-date", now);
    headers.put("x-amz-content-sha256", request.payloadSha256);
    key.token().ifPresent(token -> headers.put("x-amz-security-token", token));
    String names = String.join(";", headers.keySet());
    String scope = "%s/%s/s3/aws4_request".formatted(now.substring(0, DAY_CHARS), region);
    String text =
        String.join("\n", ALGORITHM, now, scope, hash(canonical(request, headers, names)));
    String signature = HexFormat.of().formatHex(hmac(signingKey(key, region, now), text));
    headers.put(
        "authorization",
        "%s Credential=%s/%s,SignedHeaders=%s,Signature=%s"
            .formatted(ALGORITHM, key.id(), scope, names, signature));
    return headers;
  }

  private static String canonical(Request request, Map<String, String> headers, String names) {
    var text = new StringBuilder(request.method).append('\n').append(request.path).append('\n');
    text.append(request.queryText()).append('\n');
    headers.forEach((name, value) -> text.append(name).append(':').append(value).append('\n'));
    return text.append('\n').append(names).append('\n').append(request.payloadSha256).toString();
  }

  private static byte[] signingKey(AccessKey key, String region, String now) {
    byte[] secret = ("AWS4" + key.secret()).getBytes(StandardCharsets.UTF_8);
    byte[] day = hmac(secret, now.substring(0, DAY_CHARS));
    return hmac(hmac(hmac(day, region), "s3"), "aws4_request");
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }

  private static String hash(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(ObjectContent.sha256().digest(bytes));
  }

  /**
   * Encodes text as signatures want it: everything but letters, digits and {@code -._~}.
   *
   * @param path whether slashes stay
   */
  static String encode(String text, boolean path) {
    var encoded = new StringBuilder();
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (each & 0xFF);
      boolean stays = isAlphanumeric(c) || "-._~".indexOf(c) >= 0 || (path && c == '/');
      if (stays) {
        encoded.append(c);
      } else {
        encoded.append('%').append(HexFormat.of().withUpperCase().toHexDigits(each));
      }
    }
    return encoded.toString();
  }

  private static boolean isAlphanumeric(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  }
}
