package io.cordwood.common.bucket;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A strict server of S3 in memory, with one bucket, {@code logs}: refuses what is not signed well,
 * and fails as it is told. Its signatures are computed from what came over the wire.
 */
public final class S3Server implements AutoCloseable {
  public static final String ID = "AKIDTEST";
  public static final String SECRET = "secret/of+tests";
  private static final String ROOT = "/logs";
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d*)-(\\d*)");
  private static final Trouble NONE =
      new Trouble() {
        @Override
        public Optional<Fault> fault(HttpExchange request) {
          return Optional.empty();
        }

        @Override
        public boolean hides(HttpExchange list, String key) {
          return false;
        }
      };

  private final HttpServer server;
  private final NavigableMap<String, Stored> objects = new ConcurrentSkipListMap<>();
  private final Deque<Fault> faults = new ConcurrentLinkedDeque<>();
  private final RequestCheck check = new RequestCheck(SECRET);
  private final Trouble trouble;
  private volatile int pageKeys = 1000;

  /** An object. */
  private record Stored(byte[] bytes, Instant modified) {}

  /** How a request fails. */
  public enum Fault {
    /** The connection ends without an answer, and nothing is done. */
    CUT,
    /** 503, and nothing is done. */
    SLOW_DOWN,
    /** 500, and nothing is done. */
    INTERNAL,
    /** 500, but it is done. */
    INTERNAL_AND_DONE,
    /** 200, but nothing is done. */
    ONLY_SAID,
    /** The connection ends after half of the body. */
    HALF,
    /** Other bytes than asked for, and the header says so. */
    OTHER_RANGE,
    /** All bytes, with status 200. */
    NO_RANGE,
    /** A bit of the body is another one. */
    FLIPPED,
    /** The list is that from the beginning, whatever was asked for. */
    FIRST_PAGE,
    /** The list lacks its first key. */
    LACKS_KEY,
    /** The session's token is too old. */
    EXPIRED,
    /** The object has to be brought back first. */
    ARCHIVED
  }

  /** What goes wrong for whom; asked by all threads. */
  public interface Trouble {
    /** How a request fails; may take its time. */
    Optional<Fault> fault(HttpExchange request);

    /** Whether a list lacks a key. */
    boolean hides(HttpExchange list, String key);
  }

  public S3Server() throws IOException {
    this(InetAddress.getLoopbackAddress(), NONE);
  }

  /**
   * One that others reach.
   *
   * @param address of this machine
   */
  public S3Server(InetAddress address, Trouble trouble) throws IOException {
    this.trouble = trouble;
    server = HttpServer.create(new InetSocketAddress(address, 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  /** {@code s3://logs/PREFIX} with this server's endpoint. */
  public String url(String prefix) {
    InetSocketAddress at = server.getAddress();
    return "s3://logs/%s?endpoint=http://%s:%d"
        .formatted(prefix, at.getAddress().getHostAddress(), at.getPort());
  }

  /** The environment of who may use it. */
  public static Map<String, String> environment() {
    return Map.of("AWS_ACCESS_KEY_ID", ID, "AWS_SECRET_ACCESS_KEY", SECRET);
  }

  /** Opens {@link #url}. */
  public Bucket open(String prefix) throws IOException {
    return BucketUrl.parse(url(prefix)).open(environment());
  }

  /** How the next requests fail, one after another. */
  void fail(Fault... next) {
    faults.addAll(List.of(next));
  }

  /** Keys a page; the usual are 1,000. */
  void pageKeys(int keys) {
    pageKeys = keys;
  }

  /** Has its clock go wrong by so much. */
  void clockOff(Duration by) {
    check.clockOff(by);
  }

  /** Puts an object past all checks. */
  void put(String key, byte[] bytes) {
    objects.put(key, new Stored(bytes, Instant.parse("2026-11-27T10:00:00.123Z")));
  }

  /** The objects under a prefix that were put before a time, as texts. */
  public Stream<String> texts(String prefix, Instant before) {
    return objects.tailMap(prefix, true).entrySet().stream()
        .takeWhile(it -> it.getKey().startsWith(prefix))
        .filter(it -> it.getValue().modified.isBefore(before))
        .map(it -> new String(it.getValue().bytes, StandardCharsets.US_ASCII));
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String refused = check.refusal(exchange, body);
      if (!refused.isEmpty()) {
        error(exchange, 403, refused);
        return;
      }
      Fault fault = faults.isEmpty() ? trouble.fault(exchange).orElse(null) : faults.poll();
      if (fault == Fault.CUT) {
        return;
      }
      if (fault == Fault.SLOW_DOWN) {
        error(exchange, 503, "SlowDown");
      } else if (fault == Fault.INTERNAL) {
        error(exchange, 500, "InternalError");
      } else if (fault == Fault.EXPIRED) {
        error(exchange, 400, "ExpiredToken");
      } else if (fault == Fault.ARCHIVED) {
        error(exchange, 403, "InvalidObjectState");
      } else if (fault == Fault.ONLY_SAID) {
        exchange.sendResponseHeaders(200, -1);
      } else {
        answer(exchange, body, fault);
      }
    }
  }

  private void answer(HttpExchange exchange, byte[] body, @Nullable Fault fault)
      throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (!path.startsWith(ROOT)) {
      error(exchange, 404, "NoSuchBucket");
      return;
    }
    if (path.length() <= ROOT.length() + 1) {
      list(exchange, fault);
      return;
    }
    String key = path.substring(ROOT.length() + 1);
    switch (exchange.getRequestMethod()) {
      case "PUT" -> {
        objects.put(key, new Stored(body, Instant.now()));
        if (fault == Fault.INTERNAL_AND_DONE) {
          error(exchange, 500, "InternalError");
        } else {
          exchange.sendResponseHeaders(200, -1);
        }
      }
      case "DELETE" -> {
        objects.remove(key);
        exchange.sendResponseHeaders(204, -1);
      }
      default -> get(exchange, key, fault);
    }
  }

  private void get(HttpExchange exchange, String key, @Nullable Fault fault) throws IOException {
    Stored stored = objects.get(key);
    if (stored == null) {
      error(exchange, 404, "NoSuchKey");
      return;
    }
    byte[] all = stored.bytes;
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseHeaders().set("Content-Length", String.valueOf(all.length));
      exchange.sendResponseHeaders(200, -1);
      return;
    }
    Matcher range = RANGE.matcher(exchange.getRequestHeaders().getFirst("Range"));
    boolean isRange = range.matches();
    boolean isTail = isRange && range.group(1).isEmpty();
    int from = isTail ? all.length - Integer.parseInt(range.group(2)) : number(range, 1);
    from = Math.max(0, from);
    int to = isTail ? all.length : Math.min(all.length, number(range, 2) + 1);
    if (from >= all.length) {
      error(exchange, 416, "InvalidRange");
      return;
    }
    if (fault == Fault.OTHER_RANGE) {
      from = from == 0 ? 1 : from - 1;
    }
    byte[] part = fault == Fault.NO_RANGE ? all : Arrays.copyOfRange(all, from, to);
    exchange
        .getResponseHeaders()
        .set("Content-Range", "bytes %d-%d/%d".formatted(from, to - 1, all.length));
    send(exchange, fault == Fault.NO_RANGE ? 200 : 206, part, fault);
  }

  private static int number(Matcher range, int group) {
    return (int) Math.min(Long.parseLong(range.group(group)), Integer.MAX_VALUE - 1);
  }

  private static void send(HttpExchange exchange, int status, byte[] body, @Nullable Fault fault)
      throws IOException {
    byte[] sent = body.clone();
    if (fault == Fault.FLIPPED) {
      sent[sent.length / 2] ^= 4;
    }
    exchange.sendResponseHeaders(status, sent.length);
    exchange.getResponseBody().write(sent, 0, fault == Fault.HALF ? sent.length / 2 : sent.length);
    exchange.getResponseBody().flush();
  }

  private void list(HttpExchange exchange, @Nullable Fault fault) throws IOException {
    Map<String, String> query = new HashMap<>();
    for (String each : exchange.getRequestURI().getRawQuery().split("&", -1)) {
      String[] pair = each.split("=", 2);
      query.put(pair[0], URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
    }
    String prefix = query.getOrDefault("prefix", "");
    String after = fault == Fault.FIRST_PAGE ? "" : query.getOrDefault("start-after", "");
    var wanted =
        objects.tailMap(after, false).entrySet().stream()
            .filter(it -> it.getKey().startsWith(prefix))
            .filter(it -> !trouble.hides(exchange, it.getKey()))
            .toList();
    var xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    xml.append("<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\n");
    xml.append("<IsTruncated>").append(wanted.size() > pageKeys).append("</IsTruncated>\n");
    wanted.stream()
        .limit(pageKeys)
        .skip(fault == Fault.LACKS_KEY ? 1 : 0)
        .forEach(it ->
            xml.append(
                ("<Contents><Key>%s</Key><LastModified>%s</LastModified><ETag>&quot;x&quot;</ETag>"
                        + "<Size>%d</Size><Owner><ID>1</ID></Owner></Contents>\n")
                    .formatted(
                        it.getKey().replace("&", "&amp;"),
                        it.getValue().modified,
                        it.getValue().bytes.length)));
    xml.append("</ListBucketResult>");
    send(exchange, 200, xml.toString().getBytes(StandardCharsets.UTF_8), fault);
  }

  private void error(HttpExchange exchange, int status, String code) throws IOException {
    byte[] xml =
        ("<?xml version=\"1.0\"?><Error><Code>%s</Code><Message>told to</Message>"
                + "<ServerTime>%s</ServerTime></Error>")
            .formatted(code, check.time())
            .getBytes(StandardCharsets.UTF_8);
    boolean hasBody = !exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, hasBody ? xml.length : -1);
    if (hasBody) {
      exchange.getResponseBody().write(xml);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
