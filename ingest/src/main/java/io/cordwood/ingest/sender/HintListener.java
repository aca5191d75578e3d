package io.cordwood.ingest.sender;

import io.cordwood.ingest.ByteRate;
import io.cordwood.ingest.mode.Mode;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** A sender that asked for hints. For the thread of the hints, but for {@link #tell}. */
final class HintListener {
  private final Mode mode;
  private final LongSupplier bytesRead;
  private final Consumer<String> lines;
  private final ByteRate rate = new ByteRate(0, System::nanoTime);
  private double bytesPerSecond;
  int periodsToList;

  /**
   * @param bytesRead of all that came of it
   * @param lines passes hints on; both for any thread
   */
  HintListener(Mode mode, LongSupplier bytesRead, Consumer<String> lines) {
    this.mode = mode;
    this.bytesRead = bytesRead;
    this.lines = lines;
  }

  Mode mode() {
    return mode;
  }

  /** Passes hints on, unless the connection ends. For any thread. */
  void tell(String hints) {
    lines.accept(hints);
  }

  void look() {
    bytesPerSecond = rate.look(bytesRead.getAsLong());
  }

  /** As of the last look. */
  double bytesPerSecond() {
    return bytesPerSecond;
  }
}
