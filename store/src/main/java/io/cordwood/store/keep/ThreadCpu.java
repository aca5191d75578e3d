package io.cordwood.store.keep;

import java.lang.management.ManagementFactory;

/** The processor time of the thread that asks. */
final class ThreadCpu {
  private ThreadCpu() {}

  /** Since its start; always 0 on a JVM that cannot tell. */
  public static long nanos() {
    var threads = ManagementFactory.getThreadMXBean();
    return threads.isCurrentThreadCpuTimeSupported() ? threads.getCurrentThreadCpuTime() : 0;
  }
}
