package io.cordwood.spring;

import io.cordwood.forwarder.ForwarderCounters;
import java.util.function.Supplier;

/**
 * An appender that gets the application's events, whether the starter attached it or the
 * framework's own configuration.
 *
 * @param counters since it was started
 * @param flush waits for acknowledgements, at most for its {@code stopTimeout}
 */
record AttachedAppender(Supplier<ForwarderCounters> counters, Runnable flush) {}
