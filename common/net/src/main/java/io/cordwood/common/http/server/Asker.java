package io.cordwood.common.http.server;

import io.cordwood.common.http.RepeatedTrailers;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Optional;

/** The client of one request, as its head and the protocol tell what it takes for an answer. */
record Asker(HttpRequest head, boolean http2) {
  boolean isHead() {
    return head.method().equals(HttpMethod.HEAD);
  }

  boolean isHttp10() {
    return head.protocolVersion().equals(HttpVersion.HTTP_1_0);
  }

  boolean isGrpc() {
    return http2 && GrpcStatus.isAskedFor(head.headers().get(HttpHeaderNames.CONTENT_TYPE, ""));
  }

  ErrorForm errorForm(HttpError error) {
    return ErrorForm.of(head, error);
  }

  boolean hasTrailers() {
    return http2 || !isHttp10();
  }

  /** Trailers as the body's last line; empty if the client does not ask for that. */
  Optional<byte[]> lineOfTrailers(HttpHeaders trailers) {
    return RepeatedTrailers.line(head.headers(), trailers);
  }
}
