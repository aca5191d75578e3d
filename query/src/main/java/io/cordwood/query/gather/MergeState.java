package io.cordwood.query.gather;

/** Shared by all queries of a node that gather answers. */
record MergeState(MergeMemory memory, UnreachableStores silent) {
  static MergeState of(MergeMemory memory) {
    return new MergeState(memory, new UnreachableStores(System::nanoTime));
  }

  static MergeState ofHeap() {
    return of(MergeMemory.ofHeap());
  }
}
