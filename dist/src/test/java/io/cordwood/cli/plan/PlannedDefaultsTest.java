package io.cordwood.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.store.RepairOptions;
import io.cordwood.store.StoreOptions;
import org.junit.jupiter.api.Test;

/** Plans are made with what stores do if no flag says otherwise. */
final class PlannedDefaultsTest {
  private static void is(Parameter parameter, double expected) {
    assertThat(parameter.usual()).as(parameter.symbol()).isEqualTo(expected);
  }

  @Test
  void parametersAreTheDefaultsOfStores() {
    is(Parameter.TARGET_SIZE, StoreOptions.Gathering.DEFAULT.targetBytes());
    is(Parameter.GATHER_AGE, StoreOptions.Gathering.DEFAULT.age().toSeconds());
    is(Parameter.SETTLE_AFTER, StoreOptions.Settling.DEFAULT.after().toSeconds());
    is(Parameter.SETTLE_RATE, StoreOptions.Settling.DEFAULT.bytesPerSecond());
    is(Parameter.COMPACTION_RATE, StoreOptions.DEFAULT_COMPACTION_BYTES_PER_SECOND);
    is(Parameter.TRASH_GRACE, StoreOptions.Keeping.DEFAULT.trashGrace().toSeconds());
    is(Parameter.SCRUB_RATE, RepairOptions.DEFAULT.scrubBytesPerSecond());
    is(Parameter.REPAIR_AFTER, RepairOptions.DEFAULT.repairAfter().toSeconds());
    is(Parameter.REPAIR_RATE, RepairOptions.DEFAULT.repairBytesPerSecond());
    assertThat(Load.MAX_COPIES).isEqualTo(StoreOptions.MAX_REPLICATION_FACTOR);
  }
}
