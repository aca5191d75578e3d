package io.cordwood.query.gather;

import io.micrometer.core.instrument.MeterRegistry;

/** Shared by all queries of a node that gather answers. */
record MergeState(MergeMemory memory, FrameMemory frames, UnreachableStores silent) {
  static MergeState of(MergeMemory memory, FrameMemory frames) {
    return new MergeState(memory, frames, new UnreachableStores(System::nanoTime));
  }

  static MergeState ofHeap(MeterRegistry meters) {
    return of(MergeMemory.ofHeap(), FrameMemory.ofHeap(meters));
  }
}
