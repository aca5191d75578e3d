package io.cordwood.agent;

import io.cordwood.forwarder.ForwarderOptions;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How lines are sent, and what is said of it, wherever they come from.
 *
 * @param statsFile for figures, each second; null for none
 * @param drain how long to wait for acknowledgements when the input has ended
 * @param quiet whether nothing is said but errors
 */
record Sending(ForwarderOptions options, @Nullable Path statsFile, Duration drain, boolean quiet) {
  ForwardProgress progress(ForwardFigures figures) {
    return ForwardProgress.start(figures, statsFile, quiet);
  }
}
