package io.cordwood.ingest;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.http.Routes;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.InstantSource;

/**
 * An ingest node: takes records from senders and keeps them in segments until a store has them.
 *
 * <pre>
 *   senders ──► FastListener ──► FastConnection ──► LoopWriter ──► Flusher ──► IngestLog ◄── stores
 *               one port         one a sender       one a loop     a thread    segment API
 *                                lines or batches   active         forces      flushed, pending
 * </pre>
 */
public final class IngestNode implements AutoCloseable {
  private final IngestParts parts;
  private final FastListener listener;

  private IngestNode(IngestParts parts, FastListener listener) {
    this.parts = parts;
    this.listener = listener;
  }

  /**
   * Recovers the data folder and listens; when it returns, senders can connect.
   *
   * @throws io.cordwood.common.file.FolderInUseException if another process has the folder
   * @throws IOException if the folder cannot be used, or the port is taken
   */
  public static IngestNode start(
      IngestOptions options, Filesystem files, MeterRegistry registry, InstantSource clock)
      throws IOException {
    Thread.ofPlatform().daemon().name("line-scan-warm-up").start(LineScan::warmUp);
    var metrics = new IngestMetrics(registry);
    var flushing = options.flushing();
    var segments = IngestLog.open(options.folder(), flushing.lease(), files, metrics, clock);
    try {
      return start(options, segments, metrics, clock);
    } catch (IOException | RuntimeException e) {
      segments.close();
      throw e;
    }
  }

  private static IngestNode start(
      IngestOptions options, IngestLog segments, IngestMetrics metrics, InstantSource clock)
      throws IOException {
    var limits = options.limits();
    var space = new DiskSpace(segments.folder(), limits.reserveBytes());
    var flusher = new Flusher(segments, metrics, options.flushing().maxUnforced());
    var held = new HeldBytes(limits.maxHeldBytes());
    var parts = new IngestParts(options, segments, flusher, space, metrics, held, clock);
    try {
      return new IngestNode(parts, FastListener.start(parts));
    } catch (IOException | RuntimeException e) {
      flusher.close();
      space.close();
      throw e;
    }
  }

  /** The port that takes senders in fast mode. */
  public int fastPort() {
    return listener.port();
  }

  IngestLog segments() {
    return parts.segments();
  }

  /** Adds the segment API. */
  public void addRoutes(Routes routes) {
    new SegmentRoutes(parts.segments()).addTo(routes);
  }

  /**
   * Accepts no more, stores what senders have sent so far and makes it durable. Segments that are
   * claimed stay so on the disk, and are flushed again at the next start.
   */
  @Override
  public void close() throws IOException {
    listener.close();
    parts.flusher().close();
    parts.space().close();
    parts.segments().close();
  }
}
