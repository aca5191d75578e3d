package io.cordwood.store.repair;

import io.cordwood.store.StorePeer;
import io.cordwood.store.segment.MissingRanges;
import java.util.stream.Collectors;

/** The proof of copies, as this store tells it: from when on all are there, by which stores. */
record ProvenCopies(ReplicatedFrom from, KnownPartners partners, MissingRanges lacks) {
  /**
   * Takes in what a round has found. The stores that it rests on come last: it is about fewer
   * stores then. As long as something was not compared, it rests on what was found before, with the
   * stores of then. So it does while damage took something: what is not here is not compared.
   */
  void note(ComparedSlices all, SliceStates states) {
    long found =
        new ProvenSlices(
                all.own(),
                slice -> all.isYoung(slice) && from.hadCopiesWhenTaken(all.own().start(slice)),
                all::isKnown,
                slice -> all.isInReach(slice) && states.isReplicated(slice, all.view(slice)),
                from.millis())
            .fromMillis();
    if (lacks.isDamaged()) {
      from.set(Math.max(found, from.millis()));
      return;
    }
    from.set(found);
    all.knownBefore()
        .ifPresent(compared ->
            partners.compared(
                all.peers().stream().map(StorePeer::nodeId).collect(Collectors.toSet()), compared));
  }
}
