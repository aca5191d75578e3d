package io.cordwood.query.match;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.cordwood.common.run.Jvm;
import java.lang.management.ManagementFactory;

/**
 * The JDK's module of the Vector API. Since it incubates, the JVM prints a warning for each process
 * that starts with it, and starts a tenth of a second later. So the programs load it while they
 * run, as the JDK loads its own modules for agents: by a class that their manifests open to them
 * ({@code Add-Exports}).
 */
final class VectorModule {
  private static final String NAME = "jdk.incubator.vector";
  private static final String LOADER_PACKAGE = "jdk.internal.module";

  private VectorModule() {}

  /**
   * Whether its classes are there from now on, and are compiled to vector instructions. Loads the
   * module if that is allowed.
   */
  static boolean isUsable() {
    if (!Jvm.optimizes()) {
      return false;
    }
    return ModuleLayer.boot().findModule(NAME).isPresent()
        || (mayLoad() && hasIntrinsics() && load());
  }

  private static boolean mayLoad() {
    return Object.class.getModule().isExported(LOADER_PACKAGE, VectorModule.class.getModule());
  }

  /** The JVM has them by {@code --add-modules}, or by a flag of that name. */
  private static boolean hasIntrinsics() {
    try {
      var jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      return Boolean.parseBoolean(jvm.getVMOption("EnableVectorSupport").getValue());
    } catch (IllegalArgumentException e) {
      return false; // A JVM without the compiler that has that flag.
    }
  }

  private static boolean load() {
    try {
      Class.forName(LOADER_PACKAGE + ".Modules")
          .getMethod("loadModule", String.class)
          .invoke(null, NAME);
      return true;
    } catch (ReflectiveOperationException e) {
      return false; // Another release of the JDK, or one without that module.
    }
  }
}
