package io.cordwood.sim;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** How fast virtual time passes: simulated hours in an hour of one core, by this process's CPU. */
final class Speed {
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final long begin = SYSTEM.getProcessCpuTime();

  /** Since this was made. */
  long of(double simulatedSeconds) {
    return Math.round(simulatedSeconds * 1e9 / (SYSTEM.getProcessCpuTime() - begin));
  }
}
