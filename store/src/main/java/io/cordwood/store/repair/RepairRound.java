package io.cordwood.store.repair;

import io.cordwood.store.repair.SliceCheck.Findings;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One look at what all stores hold, slice by slice, those first that queries missed copies of, then
 * the newest first. What queries missed is copied at once; all else when all slices were looked at,
 * which takes little: what the fewest stores hold first, of that the oldest.
 *
 * <p>Left alone are slices that are out of reach of {@link ComparedSlices}, and slices of which
 * some store does not know yet what it holds. One thread.
 */
final class RepairRound {
  private static final Logger LOG = LoggerFactory.getLogger(RepairRound.class);

  /** After this number the round ends: a store is not well, and each may have taken a time-out. */
  private static final int MAX_FAILURES = 5;

  private final RepairContext shared;
  private final ComparedSlices all;
  private final SliceStates states;
  private final Set<Long> hinted;
  private final RoundCopies copies;
  private final DueCopies due = new DueCopies();
  private int failures;

  /**
   * @param hinted slices to look at before all others
   */
  RepairRound(RepairContext shared, ComparedSlices all, SliceStates states, Set<Long> hinted) {
    this.shared = shared;
    this.all = all;
    this.states = states;
    this.hinted = hinted;
    this.copies = new RoundCopies(shared, all.peers());
  }

  /** Looks at all slices; whether nothing failed, and all that has to be copied was. */
  boolean run() throws InterruptedIOException {
    Set<Long> looked = new HashSet<>();
    for (long slice : all.inOrder(hinted)) {
      if (all.isInReach(slice)) {
        looked.add(slice);
        if (all.isKnown(slice) && failures < MAX_FAILURES) {
          look(slice);
        }
      }
    }
    copyDue();
    states.retain(looked);
    shared.metrics().missing(states.missingBytes());
    return failures == 0 && !copies.isNobodyLeft();
  }

  private void look(long slice) throws InterruptedIOException {
    long view = all.view(slice);
    Set<String> copiers = all.copiers();
    if (states.isSettled(slice, view, copiers)) {
      return;
    }
    if (all.peers().isEmpty()) {
      long missing = all.own().get(slice).bytes() * (all.copies() - 1);
      states.put(slice, view, copiers, false, missing, true);
      return;
    }
    if (all.isTheSame(slice)) {
      states.put(slice, view, copiers, true, 0, true);
      return;
    }
    withBatches(
        slice,
        held -> {
          shared.metrics().comparedSlice();
          Findings found = check(held);
          boolean nothingToDo = found.toCopy().isEmpty();
          states.put(slice, view, copiers, found.replicated(), found.missingBytes(), nothingToDo);
          if (hinted.contains(slice)) {
            copyAll(found, held);
          } else {
            due.add(slice, found);
          }
        });
  }

  private void withBatches(long slice, Contents.Work work) throws InterruptedIOException {
    try {
      shared.own().with(all.range(slice), work);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      failures++;
      if (!shared.stop().isStopping()) {
        shared.metrics().repairFailed("compare");
        LOG.warn("{} not compared, will be tried again: {}", all.own().start(slice), e.toString());
      }
    }
  }

  private Findings check(Contents.Held held) throws IOException {
    return all.check().run(shared.holdings(), held);
  }

  private void copyDue() throws InterruptedIOException {
    for (DueCopies.Due next : due.inOrder()) {
      if (failures < MAX_FAILURES) {
        withBatches(
            next.slice(),
            held -> {
              if (next.batches().isEmpty()) {
                copyAll(check(held), held);
              } else {
                copies.copy(next.holders(), next.batches(), held);
              }
            });
      }
    }
  }

  private void copyAll(Findings found, Contents.Held held) throws IOException {
    for (var group : found.toCopy().entrySet()) {
      copies.copy(group.getKey(), group.getValue(), held);
    }
  }
}
