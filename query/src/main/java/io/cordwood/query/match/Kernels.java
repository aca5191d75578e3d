package io.cordwood.query.match;

/** Chooses the kernel of this process. */
final class Kernels {
  static final Kernel BEST = best();

  private Kernels() {}

  private static Kernel best() {
    // The class must not be loaded without the module, hence the indirection.
    return VectorModule.isUsable() ? VectorHolder.KERNEL : new SwarKernel();
  }

  /** Loads the vector kernel when it is first asked for. */
  private static final class VectorHolder {
    static final Kernel KERNEL = new VectorKernel();

    private VectorHolder() {}
  }
}
