package io.cordwood.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.cluster.ClusterOptions;
import io.cordwood.common.cluster.GossipTiming;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.query.http.GatherRoom;
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
    is(Parameter.SLICE_TIME, RepairOptions.DEFAULT.slice().toSeconds());
    is(Parameter.COMPARE_TIME, RepairOptions.DEFAULT.repairEvery().toSeconds());
    assertThat(Load.MAX_COPIES).isEqualTo(StoreOptions.MAX_REPLICATION_FACTOR);
  }

  @Test
  void parametersAreTheBoundsOfNodes() {
    is(Parameter.PART_MEMORY, GatherRoom.PART_BYTES);
    is(Parameter.API_CONNECTIONS, HttpServerOptions.Counts.DEFAULT.maxConnections());
    is(Parameter.MOST_MEMBERS, ClusterOptions.MOST_REMEMBERED);
    is(Parameter.LOAD_PAUSE, GossipTiming.LAN.loadInterval().toSeconds());
  }
}
