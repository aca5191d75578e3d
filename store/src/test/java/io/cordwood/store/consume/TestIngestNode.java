package io.cordwood.store.consume;

import io.cordwood.common.http.ApiHeaders;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.IngestSegmentHeader;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidStamper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * An ingest node's segment API over the real HTTP server, with segments in memory. A segment that
 * is failed goes to the front again, as the oldest would.
 */
public final class TestIngestNode implements AutoCloseable {
  /** What the next answers to a read, or a commit, do wrong. */
  public enum Fault {
    NONE,
    /** Fewer bytes than claimed, as a proper answer. */
    SHORT_READ,
    /** A byte more than claimed. */
    LONG_READ,
    /** The connection breaks in the middle. */
    BREAK_READ,
    /** An error. */
    REFUSE_READ,
    /** The commit is not done, and an error is answered. */
    LOSE_COMMIT
  }

  private final UlidStamper ids = new UlidStamper(InstantSource.system());
  private final LinkedBlockingDeque<Segment> flushed = new LinkedBlockingDeque<>();
  private final Map<String, Segment> pending = new ConcurrentHashMap<>();
  private final AtomicInteger left = new AtomicInteger();
  private final HttpServer server;
  public final AtomicInteger claims = new AtomicInteger();
  public final AtomicInteger fails = new AtomicInteger();

  /** Reads that have begun. */
  final AtomicInteger reads = new AtomicInteger();

  /** Claims that are waiting or being answered, also those of clients that are gone. */
  public final AtomicInteger claiming = new AtomicInteger();

  /** Said with each claim; only {@link #endLeases} ends any. */
  public volatile Duration lease = ApiHeaders.USUAL_LEASE;

  public volatile Fault fault = Fault.NONE;

  /** Reads that have begun wait for it. */
  volatile CountDownLatch mayRead = new CountDownLatch(0);

  /** What is given back waits for it. */
  public volatile CountDownLatch mayFail = new CountDownLatch(0);

  volatile String faultyId = "";

  /** Given back as such that cannot be stored. */
  final Set<String> unstorable = ConcurrentHashMap.newKeySet();

  private static final class Segment {
    private final String id;
    private final byte[] bytes;

    Segment(String id, byte[] bytes) {
      this.id = id;
      this.bytes = bytes;
    }
  }

  private volatile boolean lastTakesLabels;

  public TestIngestNode() {
    Routes routes = new Routes();
    routes.post(ApiPaths.INGEST_CLAIM, Params.ANY, 0, this::countedClaim);
    routes.get(ApiPaths.INGEST_READ, Params.ANY, this::read);
    routes.post(ApiPaths.INGEST_COMMIT, Params.ANY, 0, this::commit);
    routes.post(ApiPaths.INGEST_FAIL, Params.ANY, 0, this::fail);
    try {
      var options =
          HttpServerOptions.at("127.0.0.1", 0)
              .withTimeouts(
                  Duration.ofSeconds(60),
                  Duration.ofSeconds(10),
                  Duration.ofMinutes(1),
                  Duration.ofMillis(50));
      server = HttpServer.start(options, routes, new SimpleMeterRegistry());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.port());
  }

  /** Adds a flushed segment of these batches; its id. */
  public String add(List<Batch> batches) {
    Ulid id = ids.stamp(1);
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(new IngestSegmentHeader(id).encode().array());
    batches.forEach(b -> bytes.writeBytes(b.encode().array()));
    return add(id, bytes.toByteArray());
  }

  /** Adds a segment of any bytes. */
  public String add(Ulid id, byte[] bytes) {
    left.incrementAndGet();
    flushed.addLast(new Segment(id.toString(), bytes));
    return id.toString();
  }

  /** Segments that are claimed and neither committed nor given back. */
  public int claimed() {
    return pending.size();
  }

  /** Segments that are not committed. */
  public int left() {
    return left.get();
  }

  /** What the last claim said about labels. */
  public boolean lastTakesLabels() {
    return lastTakesLabels;
  }

  private void countedClaim(Request request, Response response) throws IOException {
    claiming.incrementAndGet();
    lastTakesLabels = request.flag(ApiParams.LABELS);
    try {
      claim(request, response);
    } finally {
      claiming.decrementAndGet();
    }
  }

  private void claim(Request request, Response response) throws IOException {
    claims.incrementAndGet();
    long end =
        System.nanoTime() + request.durationParam(ApiParams.WAIT).orElse(Duration.ZERO).toNanos();
    try {
      Segment segment;
      do {
        segment = flushed.pollFirst(20, TimeUnit.MILLISECONDS);
      } while (segment == null && System.nanoTime() < end && !response.clientGone());
      if (segment == null) {
        response.text(204, "");
        return;
      }
      if (response.clientGone()) {
        flushed.addFirst(segment);
        return;
      }
      var lines = new StringBuilder();
      long left = request.longParam(ApiParams.MAX_BYTES).orElse(Long.MAX_VALUE);
      int max = request.intParam(ApiParams.MAX).orElse(1);
      for (int n = 1; segment != null; n++) {
        left -= segment.bytes.length;
        pending.put(segment.id, segment);
        lines.append(segment.id).append(' ').append(segment.bytes.length).append('\n');
        segment = n < max && left > 0 ? flushed.pollFirst() : null;
      }
      response.header(ApiHeaders.LEASE_MILLIS, Long.toString(lease.toMillis()));
      response.text(200, lines.toString());
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private void read(Request request, Response response) throws IOException {
    reads.incrementAndGet();
    await(mayRead);
    Segment segment = pending.get(request.requiredParam(ApiParams.ID));
    if (segment == null) {
      response.text(404, "no such segment\n");
      return;
    }
    byte[] bytes = segment.bytes;
    switch (faultFor(segment)) {
      case SHORT_READ -> response.body().write(bytes, 0, bytes.length / 2);
      case LONG_READ -> {
        response.body().write(bytes);
        response.body().write(0);
      }
      case BREAK_READ -> {
        response.contentLength(bytes.length);
        response.body().write(bytes, 0, bytes.length / 2);
        response.body().flush();
        throw new IOException("the test breaks this answer off");
      }
      case REFUSE_READ -> response.text(500, "the test's disk is broken\n");
      case NONE, LOSE_COMMIT -> {
        response.contentLength(bytes.length);
        response.body().write(bytes);
      }
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private Fault faultFor(Segment segment) {
    return faultyId.isEmpty() || faultyId.equals(segment.id) ? fault : Fault.NONE;
  }

  private void commit(Request request, Response response) throws IOException {
    List<String> ids = request.params(ApiParams.ID);
    Segment first = pending.get(ids.getFirst());
    if (first != null && faultFor(first) == Fault.LOSE_COMMIT) {
      response.text(500, "the test loses this commit\n");
      return;
    }
    settle(ids, response, " committed\n", _ -> left.decrementAndGet());
  }

  private void fail(Request request, Response response) throws IOException {
    fails.incrementAndGet();
    await(mayFail);
    List<String> failed = request.params(ApiParams.ID);
    if (request.flag(ApiParams.UNSTORABLE)) {
      unstorable.addAll(failed);
    }
    settle(failed, response, " flushed\n", flushed::addFirst);
  }

  private void settle(List<String> ids, Response response, String done, Consumer<Segment> then)
      throws IOException {
    var lines = new StringBuilder();
    boolean all = true;
    for (String id : ids) {
      Segment segment = pending.remove(id);
      all &= segment != null;
      if (segment != null) {
        then.accept(segment);
      }
      lines.append(id).append(segment == null ? " unknown\n" : done);
    }
    response.text(all ? 200 : ids.size() == 1 ? 404 : 409, lines.toString());
  }

  /** All leases end at once. */
  public void endLeases() {
    for (String id : List.copyOf(pending.keySet())) {
      Segment segment = pending.remove(id);
      if (segment != null) {
        flushed.addLast(segment);
      }
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
