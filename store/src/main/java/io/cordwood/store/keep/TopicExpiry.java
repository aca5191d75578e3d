package io.cordwood.store.keep;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.Topic;
import io.cordwood.store.DiskPace;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.SegmentBuilder;
import io.cordwood.store.segment.SegmentMerge;
import io.cordwood.store.segment.StoreLog;
import io.cordwood.store.segment.UnreadableSegmentException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the topics whose time is over out of segments that hold others beside them. A block is of
 * one topic, so only what stays is read and written. The old file becomes trash, as that of a whole
 * segment; a crash at any point leaves the old segment or the new one. One thread.
 */
final class TopicExpiry {
  private static final Logger LOG = LoggerFactory.getLogger(TopicExpiry.class);

  private final StoreOptions.Keeping bounds;
  private final StoreLog log;
  private final StoreMetrics metrics;
  private final DamageHandler damageHandler;
  private final Filesystem filesystem;
  private final TopicAges ages;
  private final DiskPace pace;
  private List<LiveSegment> due = List.of();
  private volatile int waiting;

  TopicExpiry(
      StoreOptions options,
      StoreLog log,
      StoreMetrics metrics,
      DamageHandler damageHandler,
      StopFlag stop) {
    this.bounds = options.keeping();
    this.log = log;
    this.metrics = metrics;
    this.damageHandler = damageHandler;
    this.filesystem = log.folder().filesystem();
    this.ages = new TopicAges(bounds.retention());
    this.pace = new DiskPace(options.compactionBytesPerSecond(), stop);
    metrics.watchExpiry(() -> waiting);
  }

  /**
   * Finds what is due.
   *
   * @param mayGo asked for those of which only a part is to go
   * @return the segments of which nothing is to stay; the others wait to be rewritten
   */
  List<LiveSegment> find(Instant now, MayGo mayGo) throws IOException {
    List<LiveSegment> whole = new ArrayList<>();
    List<LiveSegment> parts = new ArrayList<>();
    List<LiveSegment> live = log.live();
    ages.retain(live);
    for (LiveSegment segment : live) {
      if (segment.info().range().from().time().isBefore(now.minus(bounds.shortest()))) {
        sort(segment, now, whole, parts);
      }
    }
    List<LiveSegment> going = new ArrayList<>();
    for (LiveSegment segment : parts) {
      if (mayGo.test(segment)) {
        going.add(segment);
      }
    }
    show(going);
    return whole;
  }

  /** Whether something of a segment may go. */
  @FunctionalInterface
  interface MayGo {
    boolean test(LiveSegment segment) throws IOException;
  }

  private void show(List<LiveSegment> parts) {
    due = parts;
    waiting = parts.size();
  }

  private void sort(
      LiveSegment segment, Instant now, List<LiveSegment> whole, List<LiveSegment> parts)
      throws IOException {
    TopicAges.Expired expired = expired(segment, now);
    if (expired.isAll()) {
      whole.add(segment);
    } else if (!expired.retentions().isEmpty()) {
      parts.add(segment);
    }
  }

  private TopicAges.Expired expired(LiveSegment segment, Instant now) throws IOException {
    TopicAges.Expired byRecords = byRecords(segment, now);
    if (byRecords.retentions().isEmpty()) {
      return byRecords;
    }
    try {
      return byRecords.and(filesystem.modified(segment.file()), now);
    } catch (NoSuchFileException e) {
      LOG.debug("{}: is not there, or not yet under this name", segment.file());
      return TopicAges.NONE;
    }
  }

  private TopicAges.Expired byRecords(LiveSegment segment, Instant now) {
    if (damageHandler.isLeftOut(segment)) {
      return TopicAges.NONE;
    }
    try {
      return ages.expired(segment, now);
    } catch (IOException e) {
      LOG.warn("{}: found by retention: {}", segment.file(), e.getMessage());
      log.suspect(segment);
      return TopicAges.NONE;
    }
  }

  /** Rewrites the next segment for which there is room; whether something was done. */
  boolean runOnce(Instant now) throws IOException {
    boolean noRoom = false;
    for (LiveSegment segment : due) {
      if (log.folder().hasRoomToRewrite(segment.info().fileBytes())) {
        show(due.stream().filter(other -> !other.equals(segment)).toList());
        if (log.live().contains(segment)) {
          rewrite(segment, now);
        }
        return true;
      }
      noRoom = true;
    }
    if (noRoom) {
      metrics.failed("retention-no-room");
      due = List.of(); // They wait for the next look.
    }
    return false;
  }

  private void rewrite(LiveSegment segment, Instant now) throws IOException {
    TopicAges.Expired expired = expired(segment, now);
    if (expired.isAll() || expired.retentions().isEmpty()) {
      return;
    }
    Predicate<Topic> kept = ages.kept(expired);
    try (SegmentBuilder rest = log.newActive();
        var merge = SegmentMerge.ofBatches(List.of(segment), block -> kept.test(block.topic()))) {
      merge.run(batch -> {
        rest.append(batch);
        pace.add(batch.payload().remaining());
      });
      replace(segment, rest, now);
      metrics.retained("rewritten", 1);
      LOG.info("{}: rewritten without topics that are beyond their retention", segment.file());
    } catch (UnreadableSegmentException e) {
      LOG.warn("{}: found by retention: {}", e.segment().file(), e.getMessage());
      damageHandler.heal(e.segment());
    }
  }

  /** The file is trash from now on, for the whole grace; the rest is as old as it was. */
  private void replace(LiveSegment segment, SegmentBuilder rest, Instant now) throws IOException {
    Instant written = filesystem.modified(segment.file());
    filesystem.setModified(segment.file(), now);
    try {
      log.replaceExpired(segment, rest.flush(written));
    } catch (IOException e) {
      filesystem.setModified(segment.file(), written);
      throw e;
    }
  }
}
