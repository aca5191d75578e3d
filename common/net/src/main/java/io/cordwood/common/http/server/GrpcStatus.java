package io.cordwood.common.http.server;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The answer to a call of gRPC instead of an error of HTTP: status 200, and in headers
 *
 * <pre>
 *   grpc-status: 14
 *   grpc-message: the disk is full
 *   grpc-status-details-bin: the same, and RetryInfo, if the client may come again
 * </pre>
 */
final class GrpcStatus {
  private static final int INVALID_ARGUMENT = 3;
  private static final int PERMISSION_DENIED = 7;
  private static final int RESOURCE_EXHAUSTED = 8;
  private static final int UNIMPLEMENTED = 12;
  private static final int INTERNAL = 13;
  private static final int UNAVAILABLE = 14;
  private static final int UNAUTHENTICATED = 16;

  private static final String TYPE = "application/grpc";
  private static final String RETRY_INFO = "type.googleapis.com/google.rpc.RetryInfo";
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private GrpcStatus() {}

  /** Whether a request is a call of gRPC, by its content type. */
  static boolean isAskedFor(String type) {
    return type.startsWith(TYPE) && !type.startsWith(TYPE + "-web");
  }

  /** The headers of an error, whose answer has status 200 and no body. */
  static Map<String, String> headers(HttpError error) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("content-type", TYPE);
    headers.put("grpc-status", Integer.toString(of(error)));
    headers.put("grpc-message", percentEncoded(String.valueOf(error.getMessage())));
    if (error.retryAfterSeconds() > 0) {
      byte[] details = concatenated(status(error), retryInfo(error.retryAfterSeconds()));
      headers.put(
          "grpc-status-details-bin", Base64.getEncoder().withoutPadding().encodeToString(details));
    }
    return headers;
  }

  static int of(HttpError error) {
    return switch (error.status()) {
      case 401 -> UNAUTHENTICATED;
      case 403 -> PERMISSION_DENIED;
      case 404, 405, 415, 501 -> UNIMPLEMENTED;
      case 408, 502, 503, 504 -> UNAVAILABLE;
      case 413, 429 -> RESOURCE_EXHAUSTED;
      default -> error.status() < 500 ? INVALID_ARGUMENT : INTERNAL;
    };
  }

  /** As gRPC has it: all but printable ASCII, and the sign itself. */
  private static String percentEncoded(String message) {
    var encoded = new StringBuilder();
    for (byte each : message.getBytes(StandardCharsets.UTF_8)) {
      if (each >= ' ' && each <= '~' && each != '%') {
        encoded.append((char) each);
      } else {
        encoded.append('%').append(HEX.toHexDigits(each));
      }
    }
    return encoded.toString();
  }

  /** A google.rpc.Status, in protobuf. */
  static byte[] status(HttpError error) {
    byte[] message = String.valueOf(error.getMessage()).getBytes(StandardCharsets.UTF_8);
    return concatenated(new byte[] {0x08, (byte) of(error)}, field(2, message));
  }

  /** One of its details. */
  private static byte[] retryInfo(int retrySeconds) {
    byte[] duration = concatenated(new byte[] {0x08}, varint(retrySeconds));
    byte[] any =
        concatenated(
            field(1, RETRY_INFO.getBytes(StandardCharsets.UTF_8)), field(2, field(1, duration)));
    return field(3, any);
  }

  private static byte[] field(int number, byte[] value) {
    return concatenated(new byte[] {(byte) (number << 3 | 2)}, varint(value.length), value);
  }

  private static byte[] varint(int value) {
    var bytes = new ByteArrayOutputStream();
    int left = value;
    for (; left >= 0x80; left >>>= 7) {
      bytes.write(left | 0x80);
    }
    bytes.write(left);
    return bytes.toByteArray();
  }

  private static byte[] concatenated(byte[]... parts) {
    var all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
