package io.cordwood.query.gather;

/** Shared by all queries of a node that gather answers. */
record MergeShared(MergeMemory memory, SilentStores silent) {
  static MergeShared of(MergeMemory memory) {
    return new MergeShared(memory, new SilentStores(System::nanoTime));
  }

  static MergeShared ofHeap() {
    return of(MergeMemory.ofHeap());
  }
}
