package io.cordwood.common.http.server;

import io.cordwood.common.access.AuditLog;
import io.cordwood.common.access.Caller;
import io.cordwood.common.access.DeniedException;
import io.cordwood.common.access.DeniedException.Reason;
import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.access.Refusals;
import io.cordwood.common.access.Token;
import io.cordwood.common.access.Tokens;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.tls.PortTls;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may use which path: nodes those of nodes, tokens of a scope the others. Enters what
 * was asked and refused in the audit log. Safe for all threads; {@link #admit} never waits.
 */
public final class Guard {
  /** Lets all in, as on loopback. */
  public static final Guard OPEN = new Guard(null, NodeKeys.NONE, null, AuditLog.NONE);

  private static final int RETRY_AFTER_SECONDS = 1;

  private final @Nullable Tokens tokens;
  private final NodeKeys nodes;
  private final @Nullable Refusals refusals;
  private final AuditLog audit;
  private final Map<String, AtomicInteger> running = new ConcurrentHashMap<>();

  /**
   * @param tokens null to ask nobody for one
   * @param nodes none to ask no node to show what it is
   * @param refusals null only for a guard that refuses nobody
   */
  public Guard(
      @Nullable Tokens tokens, NodeKeys nodes, @Nullable Refusals refusals, AuditLog audit) {
    this.tokens = tokens;
    this.nodes = nodes;
    this.refusals = refusals;
    this.audit = audit;
  }

  /**
   * Lets somebody in, or not.
   *
   * @throws HttpError 401 or 403, which says what was needed
   */
  Caller admit(HttpRequest head, String path, Channel channel) {
    Access access = access(head, path);
    try {
      boolean isNode = isNode(head, channel);
      if (isNode) {
        NodeConnection.trust(channel);
      }
      if (access == Access.NODE && (!nodes.areNone() || PortTls.peer(channel).tls()) && !isNode) {
        throw new DeniedException(
            Reason.NODE,
            "expected a node of this cluster, which has its key or a certificate, found none");
      }
      return tokens == null || access.scope() == null
          ? Caller.TRUSTED
          : tokens.admit(ShownToken.in(head.headers()), access.scope());
    } catch (DeniedException e) {
      throw refused("-", address(channel), head.method() + " " + path, e);
    }
  }

  /** Docker's driver for Splunk asks for the options of a path, without its token. */
  private static Access access(HttpRequest head, String path) {
    return head.method().equals(HttpMethod.OPTIONS) ? Access.NONE : Access.of(path);
  }

  /**
   * Looks at a token that a browser is to keep.
   *
   * @return its name
   * @throws HttpError 401 if it is not valid; 404 if none is needed
   */
  String signIn(String text, String address) {
    if (tokens == null) {
      throw new HttpError(404, "this node asks for no token");
    }
    try {
      return tokens.known(text).name();
    } catch (DeniedException e) {
      throw refused("-", address, "POST " + ApiPaths.LOGIN, e);
    }
  }

  /**
   * The one place that tells nodes from others: by the cluster's key, and by a node's certificate
   * where there is no key. A caller that shows a wrong key is refused, whatever it asks for.
   */
  private boolean isNode(HttpRequest head, Channel channel) throws DeniedException {
    String shown = head.headers().get(NodeKeys.HEADER);
    if (shown == null || nodes.areNone()) {
      return nodes.areNone() && PortTls.peer(channel).node();
    }
    return switch (nodes.check(shown, head.method().name(), head.uri())) {
      case GOOD -> true;
      case FOREIGN ->
          throw new DeniedException(
              Reason.NODE, "expected a node of this cluster, found one with another key");
      case OTHER_TIME ->
          throw new HttpError(
              401,
              "expected a call of the last minutes, found another time of " + address(channel),
              0,
              Map.of(NodeKeys.TIME_HEADER, nodes.time()));
    };
  }

  private HttpError refused(String token, String address, String what, DeniedException why) {
    if (refusals != null) {
      refusals.add(token, address, what, why);
    }
    int status = why.reason().status();
    return new HttpError(
        status,
        String.valueOf(why.getMessage()),
        status == 429 ? RETRY_AFTER_SECONDS : 0,
        status == 401 || why.reason() == Reason.SCOPE
            ? Map.of("www-authenticate", challenge(why.reason()))
            : Map.of());
  }

  /** Tells a token that is for something else from one that is no token. */
  private static String challenge(Reason reason) {
    String realm = "Bearer realm=\"cordwood\"";
    return reason == Reason.SCOPE ? realm + ", error=\"insufficient_scope\"" : realm;
  }

  static String address(Channel channel) {
    Channel connection =
        channel.parent() != null && channel.remoteAddress() == null ? channel.parent() : channel;
    return connection.remoteAddress() instanceof InetSocketAddress address
        ? address.getAddress().getHostAddress()
        : String.valueOf(connection.remoteAddress());
  }

  /** One query of a token's bound, until it is closed. */
  @FunctionalInterface
  interface Permit extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Counts a query of a token that may have a number of them.
   *
   * @throws HttpError 429 if it has too many
   */
  Permit enter(Caller caller, String path, Channel channel) {
    Token token = caller.token().orElse(null);
    if (token == null
        || token.queries() == Token.NO_QUERIES_BOUND
        || Access.of(path) != Access.QUERY) {
      return () -> {};
    }
    AtomicInteger own = running.computeIfAbsent(token.name(), _ -> new AtomicInteger());
    if (own.incrementAndGet() > token.queries()) {
      own.decrementAndGet();
      throw refused(
          token.name(),
          address(channel),
          path,
          new DeniedException(
              Reason.QUOTA,
              "expected at most %d queries at once of the token %s, found more"
                  .formatted(token.queries(), token.name())));
    }
    return own::decrementAndGet;
  }

  /**
   * How an answer ended.
   *
   * @param status or {@code gone}, {@code reset}
   * @param matches lines that were found; 0 if the answer does not say
   * @param bytes of its body
   */
  record Outcome(
      String method, String details, String status, Duration took, long matches, long bytes) {}

  /** Enters what was asked, when it is answered. */
  void audit(Caller caller, String path, Channel channel, Outcome outcome) {
    boolean isPreflight = outcome.method.equals(HttpMethod.OPTIONS.name());
    if (audit.isOn() && Access.of(path).isAudited() && !isPreflight) {
      audit.asked(
          new AuditLog.Entry(
              caller.name(),
              address(channel),
              outcome.method + " " + path,
              outcome.details,
              outcome.status,
              outcome.took,
              outcome.matches,
              outcome.bytes));
    }
  }
}
