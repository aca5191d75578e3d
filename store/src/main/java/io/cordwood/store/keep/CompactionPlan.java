package io.cordwood.store.keep;

import io.cordwood.store.StoreOptions.Gathering;
import io.cordwood.store.segment.SegmentInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which segments to make one of, if any.
 *
 * <p>Small segments are merged with others of about their size, the oldest first, when there are
 * {@link #FAN_IN} of them or when they make up a segment of the target size. So a merge of many
 * multiplies the size, and what one small segment a second makes of a day is rewritten twice.
 *
 * <p>A segment counts as small below half of the target; one that spans many minutes, below a
 * sixteenth: there are few of those a day, and small segments of three stores a second are of that
 * size after two merges, so that they are not rewritten a third time. That ranges overlap is no
 * reason to rewrite, since blocks are skipped by their own ranges. Only segments with the very same
 * range are merged whatever their size: they hold the same batches, stored again after a commit
 * that was lost.
 */
final class CompactionPlan {
  /** Most segments in one merge. */
  static final int FAN_IN = 128;

  /** Most segments of a merge that hold records of one moment: each needs a block in memory. */
  static final int MAX_OVERLAP = 32;

  /** Most blocks of a merge's segments, so that the new segment's index has room for all. */
  static final int MAX_BLOCKS = 60_000;

  /** Segments are of about one size if the largest is at most this many times the smallest. */
  private static final int ALIKE = 16;

  private static final Duration LONG_SPAN = Duration.ofMinutes(10);

  private static final Comparator<SegmentInfo> BY_SIZE =
      Comparator.comparingLong(SegmentInfo::rawBytes);
  private static final Comparator<SegmentInfo> BY_TIME =
      Comparator.comparing((SegmentInfo s) -> s.range().from()).thenComparing(SegmentInfo::name);

  private final long targetBytes;

  CompactionPlan(long targetBytes) {
    this.targetBytes = targetBytes;
  }

  /** The segments to merge next, oldest first; empty if there is nothing to gain. */
  Optional<List<SegmentInfo>> next(List<SegmentInfo> segments) {
    Optional<List<SegmentInfo>> same = sameRange(segments);
    return same.isPresent() ? same : alike(segments);
  }

  private Optional<List<SegmentInfo>> alike(List<SegmentInfo> segments) {
    List<SegmentInfo> bySize = segments.stream().filter(this::isSmall).sorted(BY_SIZE).toList();
    int end = 0;
    long bytes = 0;
    for (int start = 0; start < bySize.size(); start++) {
      long limit = ALIKE * bySize.get(start).rawBytes();
      while (end < bySize.size() && bySize.get(end).rawBytes() <= limit) {
        bytes += bySize.get(end++).rawBytes();
      }
      if (end - start >= FAN_IN || bytes >= targetBytes) {
        Group group = oldest(bySize.subList(start, end));
        if (group.isWorthIt()) {
          return Optional.of(group.members);
        }
      }
      bytes -= bySize.get(start).rawBytes();
    }
    return Optional.empty();
  }

  private Group oldest(List<SegmentInfo> segments) {
    var group = new Group();
    segments.stream().sorted(BY_TIME).forEach(group::offer);
    return group;
  }

  private static Optional<List<SegmentInfo>> sameRange(List<SegmentInfo> segments) {
    Map<Object, List<SegmentInfo>> byRange = new LinkedHashMap<>();
    segments.forEach(s -> byRange.computeIfAbsent(s.range(), _ -> new ArrayList<>()).add(s));
    return byRange.values().stream()
        .filter(same -> same.size() > 1)
        .map(same -> same.subList(0, Math.min(same.size(), MAX_OVERLAP)))
        .filter(same -> same.stream().mapToInt(SegmentInfo::blocks).sum() <= MAX_BLOCKS)
        .findFirst();
  }

  /** Whether compaction may still merge it with others of its size. */
  boolean isSmall(SegmentInfo segment) {
    boolean isLong = segment.span().compareTo(LONG_SPAN) >= 0;
    return segment.rawBytes() < (isLong ? targetBytes / 16 : Gathering.leastBytes(targetBytes));
  }

  /** Segments of about one size, gathered from the oldest on until there are enough. */
  private final class Group {
    private final List<SegmentInfo> members = new ArrayList<>();
    private long bytes;
    private int blocks;
    private boolean complete;

    void offer(SegmentInfo segment) {
      if (complete || !hasRoom(segment)) {
        complete = true;
        return;
      }
      members.add(segment);
      bytes += segment.rawBytes();
      blocks += segment.blocks();
      complete = members.size() == FAN_IN || bytes >= targetBytes;
    }

    private boolean hasRoom(SegmentInfo segment) {
      return bytes + segment.rawBytes() <= targetBytes + targetBytes / 4
          && blocks + segment.blocks() <= MAX_BLOCKS
          && overlapping(segment) < MAX_OVERLAP;
    }

    private long overlapping(SegmentInfo segment) {
      return members.stream().filter(m -> m.range().overlaps(segment.range())).count();
    }

    boolean isWorthIt() {
      return complete && members.size() > 1;
    }
  }
}
