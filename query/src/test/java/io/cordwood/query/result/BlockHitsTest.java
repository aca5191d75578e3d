package io.cordwood.query.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A batch that is held for long does not hold its whole block. */
final class BlockHitsTest {
  @Test
  void aBatchAloneHasItsRecordsAndNoMemoryOfTheOthers() throws IOException {
    Ulid first = Ulid.firstOf(1);
    Ulid second = Ulid.firstOf(2);
    var all =
        new BlockHits(
            Topic.DEFAULT,
            "one\nlonger\nlast\n".getBytes(StandardCharsets.UTF_8),
            new int[] {4, 11, 16},
            new int[] {7, 0, 3},
            List.of(new BlockHits.Group(first, 0, 1), new BlockHits.Group(second, 1, 3)));
    BlockHits alone = all.only(all.groups().getLast());
    BlockHits.Group group = alone.groups().getFirst();
    assertThat(alone.groups()).hasSize(1);
    assertThat(alone.id(group)).isEqualTo(all.id(all.groups().getLast()));
    assertThat(alone.ulid(group, 1)).isEqualTo(second.plus(3));
    var written = new ByteArrayOutputStream();
    alone.write(group.from(), group.to(), written);
    assertThat(written.toString(StandardCharsets.UTF_8)).isEqualTo("longer\nlast\n");
    assertThat(alone.heldBytes()).isEqualTo(12 + 4 * (2 + 2) + 48);
    assertThat(alone.only(group)).isSameAs(alone);
  }
}
