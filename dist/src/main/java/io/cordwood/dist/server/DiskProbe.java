package io.cordwood.dist.server;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.WritableFile;
import io.cordwood.common.run.PeriodicTask;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the disk of the data folder takes a byte: written and forced now and then, since a disk
 * that died while nobody sends is noticed by nothing else. The byte is written over itself, so a
 * full disk takes it, too: that is the ingest node's to tell.
 */
final class DiskProbe implements NodeStatus.Part, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DiskProbe.class);
  private static final Duration EVERY = Duration.ofSeconds(5);

  /** A force that takes longer comes from a disk that hangs. */
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final Path file;
  private final Filesystem filesystem;
  private @Nullable PeriodicTask task;
  private volatile long begunNanos;
  private volatile boolean probing;
  private volatile @Nullable String failure;

  DiskProbe(Path data, Filesystem filesystem) {
    this.file = data.resolve("probe");
    this.filesystem = filesystem;
  }

  /** Begins to probe by itself, until it is closed. */
  DiskProbe start(MeterRegistry registry) {
    task = PeriodicTask.start("disk-probe", EVERY, registry, this::look);
    return this;
  }

  /** Writes and forces; one that fails is tried again. */
  synchronized void look() {
    begunNanos = System.nanoTime();
    probing = true;
    try (WritableFile open = open()) {
      open.write(ByteBuffer.allocate(1));
      open.force();
      if (failure != null) {
        LOG.info("{} can be written again", file);
      }
      failure = null;
    } catch (IOException e) {
      if (failure == null) {
        LOG.error("{} cannot be written, so this node is not ready: {}", file, e.toString());
      }
      failure = e.toString();
    } finally {
      probing = false;
    }
  }

  private WritableFile open() throws IOException {
    try {
      return filesystem.overwrite(file);
    } catch (NoSuchFileException e) {
      return filesystem.create(file);
    }
  }

  @Override
  public Optional<String> trouble() {
    String why = failure;
    if (why == null && probing && System.nanoTime() - begunNanos > LONGEST.toNanos()) {
      why = "it has not been forced for " + LONGEST.toSeconds() + " s";
    }
    return Optional.ofNullable(why).map(it -> file + ": the disk fails: " + it);
  }

  @Override
  public void close() {
    if (task != null) {
      task.close();
    }
  }
}
