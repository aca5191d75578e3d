package io.cordwood.common.http.server;

import io.cordwood.common.access.Caller;
import io.cordwood.common.http.ApiHeaders;
import io.cordwood.common.http.ForeignPaths;
import io.cordwood.common.http.server.Routes.Match;
import io.cordwood.common.http.server.Routes.NoSuchPath;
import io.cordwood.common.http.server.Routes.Refused;
import io.cordwood.common.http.server.Routes.Route;
import io.cordwood.common.http.server.Routes.WrongMethod;
import io.cordwood.common.tls.PortTls;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request and its answer. Made by the event loop, which passes on the body and the news that
 * the client left; run on a thread of its own, which tells the event loop when all is over.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed close ends in channelInactive
final class Exchange implements Response.Carrier {
  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

  /** How an exchange ended, told to the event loop. */
  enum End {
    /** Answered, and the connection can take the next request. */
    KEEP,
    /** Answered, and the connection is to be closed. */
    CLOSE,
    /** Not answered in full: the client must notice. */
    RESET
  }

  /** Makes exchanges of a connection or stream, one after the other; for its event loop. */
  interface Owner {
    /** Whether no further request should be sent here; for any thread. */
    boolean isDraining();

    /** Reads on if there is a use for what may come. */
    void readMore();

    /** From now on what the client sends is no HTTP; it must not have sent anything too early. */
    void becomeRaw();

    /** The current exchange is over. */
    void ended(End end);
  }

  private final Owner owner;
  private final ServerContext server;
  private final Channel channel;
  private final HttpRequest head;
  private final Match match;
  private final Caller caller;
  private final long beganNanos = System.nanoTime();
  private final BodyInput body;
  private final ResponseFlowControl flowControl;
  private final Asker asker;
  private final Response response;
  private final int largestPiece;
  private volatile boolean keepAlive;
  private volatile @Nullable BodyInput raw;
  private String outcome = "gone";
  private @Nullable Request asked;

  Exchange(
      Owner owner, ServerContext server, Channel channel, Asker asker, Match match, Caller caller) {
    this.owner = owner;
    this.caller = caller;
    this.server = server;
    this.channel = channel;
    this.asker = asker;
    this.head = asker.head();
    this.match = match;
    this.keepAlive = HttpUtil.isKeepAlive(head) && !(match instanceof Refused);
    HttpServerOptions options = server.options();
    long maxBodyBytes = match instanceof Route route ? route.maxBodyBytes() : 0;
    this.body =
        new BodyInput(
            maxBodyBytes,
            options.timeouts().idle(),
            this::sendContinue,
            () -> onLoop(owner::readMore));
    this.flowControl =
        new ResponseFlowControl(
            channel, server.metrics(), options.timeouts().stall(), server.budget(), this::stalled);
    this.response = new Response(this, asker, flowControl);
    this.largestPiece = NodeConnection.frameBytes(channel);
  }

  private void onLoop(Runnable task) {
    channel.eventLoop().execute(task);
  }

  @Override
  public ByteBufAllocator allocator() {
    return channel.alloc();
  }

  @Override
  public int largestPiece() {
    return largestPiece;
  }

  void receive(ByteBuf piece) {
    body.offer(piece);
  }

  @Override
  public BodyInput becomeRaw(Duration timeout) {
    var bytes = new BodyInput(Long.MAX_VALUE, timeout, () -> {}, () -> onLoop(owner::readMore));
    raw = bytes;
    onLoop(owner::becomeRaw);
    return bytes;
  }

  void receiveRaw(ByteBuf piece) {
    BodyInput bytes = raw;
    if (bytes == null) {
      piece.release();
    } else {
      bytes.offer(piece);
    }
  }

  @Override
  public Duration idle() {
    return server.options().timeouts().idle();
  }

  void bodyComplete() {
    body.complete();
  }

  /** The rest of the connection cannot be understood. */
  void bodyMalformed(Throwable cause) {
    keepAlive = false;
    body.fail(new HttpError(400, "malformed body: " + cause.getMessage()));
  }

  boolean isBodyComplete() {
    return body.isComplete();
  }

  boolean wantsMore() {
    BodyInput bytes = raw;
    return bytes == null ? body.wantsMore() : bytes.wantsMore();
  }

  void clientLeft() {
    body.fail(new ClientGoneException("the client left"));
    BodyInput bytes = raw;
    if (bytes != null) {
      bytes.fail(new ClientGoneException("the client left"));
    }
    flowControl.clientLeft();
  }

  void start() {
    server.handlers().newThread(this::run).start();
  }

  private void run() {
    try {
      answer();
      response.body().close();
      outcome = String.valueOf(response.statusCode());
    } catch (ClientGoneException e) {
      LOG.debug("{} {}: {}", head.method(), match.label(), e.getMessage());
    } catch (HttpError e) {
      failWith(e);
    } catch (Throwable e) {
      failUnexpectedly(e);
    } finally {
      audit();
      body.discard();
      response.discard();
      tellWhenSentUnlessClosed();
    }
  }

  private void tellWhenSentUnlessClosed() {
    try {
      tellWhenSent();
    } catch (RejectedExecutionException e) {
      // The server was closed before this answer's end, and its connection with it.
      LOG.debug("{} {}: ends after its server", head.method(), match.label());
    }
  }

  private void answer() throws IOException {
    CrossOrigin.head(
        head.headers().get(HttpHeaderNames.ORIGIN), server.options().hosts(), response);
    ForeignPaths.headers(head.uri()).forEach(response::header);
    switch (match) {
      case Route route -> handle(route);
      case NoSuchPath none ->
          throw new HttpError(
              404,
              "no such path: "
                  + none.path()
                  + none.near().map(near -> "; did you mean " + near + "?").orElse(""));
      case WrongMethod wrong -> {
        response.header("allow", wrong.allow());
        throw new HttpError(
            405, wrong.path() + ": expected " + wrong.allow() + ", found " + wrong.method());
      }
      case Refused refused -> throw refused.error();
    }
  }

  private void handle(Route route) throws IOException {
    Tenants.refuse(route.path(), head.headers());
    if (HttpUtil.getContentLength(head, 0L) > route.maxBodyBytes()) {
      throw BodyInput.tooLong(route.maxBodyBytes());
    }
    Request request =
        new Request(
            head, route.endpoint(), body, caller, Guard.address(channel), PortTls.peer(channel));
    asked = request;
    request.checkParams();
    try (Guard.Permit _ = server.routes().guard().enter(caller, route.path(), channel)) {
      route.handler().handle(request, response);
    }
  }

  private void audit() {
    if (match instanceof Route route) {
      Duration took = Duration.ofNanos(System.nanoTime() - beganNanos);
      String details = asked == null ? "" : asked.parametersAsText();
      var end =
          new Guard.Outcome(
              head.method().name(),
              details,
              outcome,
              took,
              response.number(ApiHeaders.MATCHES),
              response.writtenBytes());
      server.routes().guard().audit(caller, route.path(), channel, end);
    }
  }

  private void failUnexpectedly(Throwable e) {
    if (response.clientGone()) {
      LOG.debug("{} {}: the client left", head.method(), match.label(), e);
      return;
    }
    LOG.error("{} {} fails", head.method(), match.label(), e);
    failWith(new HttpError(500, "internal error, see the node's log"));
  }

  private void failWith(HttpError error) {
    outcome = "reset";
    try {
      if (response.fail(error)) {
        outcome = String.valueOf(error.status());
      } else {
        LOG.debug("{} {} fails after the headers: {}", head.method(), match.label(), error.body());
      }
    } catch (IOException e) {
      outcome = "gone";
    }
  }

  private void tellWhenSent() {
    ChannelFuture last = response.lastWrite();
    if (last == null) {
      onLoop(() -> ended(End.RESET));
    } else {
      Future<?> stall =
          channel
              .eventLoop()
              .schedule(
                  this::giveUp,
                  server.options().timeouts().stall().toNanos(),
                  TimeUnit.NANOSECONDS);
      last.addListener(sent -> {
        stall.cancel(false);
        ended(!sent.isSuccess() ? End.RESET : keepAlive ? End.KEEP : End.CLOSE);
      });
    }
  }

  /** The client does not read the last bytes. Closing fails their write, which ends all. */
  private void giveUp() {
    stalled();
    channel.close();
  }

  private void stalled() {
    server.metrics().stalled();
    LOG.info(
        "{} {} of {}: the client read nothing for {}, its answer is broken off",
        head.method(),
        match.label(),
        channel.remoteAddress(),
        server.options().timeouts().stall());
  }

  private void ended(End end) {
    server.metrics().answered(method(), match.label(), outcome, asker.http2() ? "2" : "1");
    owner.ended(end);
  }

  /** The method as a metric's label: one of few values, whatever clients send. */
  private String method() {
    return match instanceof Route ? head.method().name() : "other";
  }

  @Override
  public void frame(HttpHeaders headers, int status, long contentLength) {
    boolean bodiless = status == 204 || status == 304;
    if (contentLength >= 0 && !bodiless) {
      headers.set(HttpHeaderNames.CONTENT_LENGTH, contentLength);
    }
    if (asker.http2()) {
      return;
    }
    if (status == HttpResponseStatus.SWITCHING_PROTOCOLS.code()) {
      keepAlive = false;
      return;
    }
    if (contentLength < 0 && !bodiless && !asker.isHead()) {
      frameUnknownLength(headers);
    }
    keepAlive &= body.isComplete() && !owner.isDraining();
    if (!keepAlive) {
      headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    } else if (asker.isHttp10()) {
      headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
    }
  }

  private void frameUnknownLength(HttpHeaders headers) {
    if (asker.isHttp10()) {
      keepAlive = false;
    } else {
      headers.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
    }
  }

  @Override
  public Optional<ContentCoding> takeCoding() {
    String accepted = head.headers().get(HttpHeaderNames.ACCEPT_ENCODING, "");
    Optional<ContentCoding> coding = ContentCoding.acceptedBy(accepted);
    if (coding.isPresent() && !server.compressors().tryAcquire()) {
      server.metrics().notCompressed();
      return Optional.empty();
    }
    return coding;
  }

  @Override
  public void giveBackCoding() {
    server.compressors().release();
  }

  private void sendContinue() {
    if (HttpUtil.is100ContinueExpected(head) && !response.isCommitted()) {
      flowControl.send(
          new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE), 0);
    }
  }
}
