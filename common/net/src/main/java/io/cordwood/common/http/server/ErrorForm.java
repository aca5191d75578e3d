package io.cordwood.common.http.server;

import io.cordwood.common.http.ForeignPaths;
import io.cordwood.common.json.Json;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * How the body of an error says what is wrong: in a line of text, or as the protocol of the path
 * has it, whose clients look for that, or show it.
 */
enum ErrorForm {
  LINE("text/plain; charset=utf-8"),
  /** {@code {"text":"…","code":9}}. */
  SPLUNK(Json.TYPE),
  /** {@code {"errors":[{"detail":"…","status":"503"}]}}. */
  DATADOG(Json.TYPE),
  /** {@code {"error":{"root_cause":[{"type":"…","reason":"…"}],…},"status":503}}. */
  ELASTIC(Json.TYPE),
  /** A google.rpc.Status. */
  OTLP_JSON(Json.TYPE),
  OTLP_PROTOBUF("application/x-protobuf");

  private final String type;

  ErrorForm(String type) {
    this.type = type;
  }

  static ErrorForm of(HttpRequest head, HttpError error) {
    ErrorForm form = of(head);
    return form == ELASTIC && isNotNow(error.status()) ? LINE : form;
  }

  /** Rsyslog sends nothing of a batch again that is answered with JSON without items. */
  private static boolean isNotNow(int status) {
    return status == 429 || status == 503;
  }

  private static ErrorForm of(HttpRequest head) {
    String path = ForeignPaths.path(head.uri());
    if (ForeignPaths.isSplunk(path)) {
      return SPLUNK;
    } else if (ForeignPaths.isDatadog(path)) {
      return DATADOG;
    } else if (ForeignPaths.isElastic(path)) {
      return ELASTIC;
    } else if (ForeignPaths.OTLP.contains(path)) {
      String sent = head.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
      return sent.toLowerCase(Locale.ROOT).contains("json") ? OTLP_JSON : OTLP_PROTOBUF;
    } else {
      return LINE;
    }
  }

  /** The content type. */
  String type() {
    return type;
  }

  byte[] body(HttpError error) {
    if (this == OTLP_PROTOBUF) {
      return GrpcStatus.status(error);
    }
    int status = error.status();
    String message = Json.quoted(String.valueOf(error.getMessage()));
    String text =
        switch (this) {
          case SPLUNK -> splunk(status, message);
          case DATADOG ->
              "{\"errors\":[{\"detail\":%s,\"status\":\"%d\"}]}".formatted(message, status);
          case ELASTIC -> elastic(status, message);
          case OTLP_JSON -> "{\"code\":%d,\"message\":%s}".formatted(GrpcStatus.of(error), message);
          default -> error.body();
        };
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** With Splunk's code and words for it. */
  private static String splunk(int status, String message) {
    int code =
        switch (status) {
          case 401 -> 3;
          case 403 -> 4;
          case 429, 503 -> 9;
          case 500 -> 8;
          default -> 6;
        };
    String words =
        switch (code) {
          case 3 -> "Invalid authorization: ";
          case 4 -> "Invalid token: ";
          case 8 -> "Internal server error: ";
          case 9 -> "Server is busy: ";
          default -> "Invalid data format: ";
        };
    return "{\"text\":\"%s%s,\"code\":%d}".formatted(words, message.substring(1), code);
  }

  private static String elastic(int status, String message) {
    String type =
        switch (status) {
          case 401, 403 -> "security_exception";
          case 404 -> "resource_not_found_exception";
          default -> "illegal_argument_exception";
        };
    String cause = "\"type\":\"%s\",\"reason\":%s".formatted(type, message);
    return "{\"error\":{\"root_cause\":[{%s}],%s},\"status\":%d}".formatted(cause, cause, status);
  }
}
