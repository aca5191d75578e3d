package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.agent.follow.FollowLog;
import io.cordwood.agent.follow.FollowOptions;
import io.cordwood.agent.follow.Follower;
import io.cordwood.agent.follow.LabelRule;
import io.cordwood.agent.follow.Multiline;
import io.cordwood.agent.follow.TopicRule;
import io.cordwood.agent.journal.JournalOptions;
import io.cordwood.agent.journal.JournalSource;
import io.cordwood.common.testing.Patience;
import io.cordwood.common.wire.Labels;
import io.cordwood.forwarder.Forwarder;
import io.cordwood.ingest.node.IngestNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entries of a journal, from a process in the place of journalctl, are on a node once. */
final class JournalFollowTest {
  /** Prints entries of the file beside it, each after its number and time, as journalctl does. */
  private static final String SCRIPT =
      """
      #!/bin/sh
      echo "$@" >> "$0.calls"
      after=0 follow=
      for word in "$@"; do
        case $word in
          --after-cursor=s=*) after=${word#--after-cursor=s=} ;;
          --follow) follow=-f ;;
        esac
      done
      tail $follow -n +1 "$0.entries" | while read -r number millis text; do
        if [ -e "$0.fail" ] && [ "$number" = 7 ]; then
          rm "$0.fail"
          printf '__CURSOR=s=7\\nMESS'
          kill $$
          exit 1
        fi
        if [ "$number" -gt "$after" ]; then
          printf '__CURSOR=s=%s\\n__REALTIME_TIMESTAMP=%s000\\n' "$number" "$millis"
          printf '_SYSTEMD_UNIT=shop.service\\nPRIORITY=6\\nMESSAGE=%s\\n\\n' "$text"
        fi
      done
      """;

  @TempDir private Path folder;
  private final long now = System.currentTimeMillis();
  private final List<String> said = new CopyOnWriteArrayList<>();

  /** A record as a node has it, with its ULID. */
  private record Stored(String ulid, Labels labels, Instant time, String text) {}

  private Path script() throws IOException {
    Path script = folder.resolve("journalctl");
    if (!Files.exists(script)) {
      Files.writeString(script, SCRIPT);
      Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    return script;
  }

  private void add(int from, int to) throws IOException {
    var lines = new StringBuilder();
    for (int i = from; i <= to; i++) {
      lines
          .append(i)
          .append(' ')
          .append(now - 100_000 + i)
          .append(" entry ")
          .append(i)
          .append('\n');
    }
    Files.writeString(
        folder.resolve("journalctl.entries"),
        lines,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private FollowOptions options(Path checkpoint) {
    return new FollowOptions(
        List.of(),
        checkpoint,
        TopicRule.template("none"),
        LabelRule.NONE,
        FollowOptions.Reading.of(Multiline.NONE),
        false,
        8 << 20);
  }

  /** Sends until a number of entries has arrived, and ends as the command does. */
  private void run(IngestNode node, String checkpoint, int count, boolean once) throws Exception {
    try (Forwarder forwarder = ReceivingNode.forwarder(node);
        Follower follower =
            Follower.open(
                options(folder.resolve(checkpoint)), forwarder, new FollowLog(said::add))) {
      var journal =
          new JournalOptions(
              List.of(script().toString(), "--system"),
              "journal",
              Labels.of(Map.of("host", "worker-7")),
              false,
              once);
      JournalSource source = JournalSource.start(journal, forwarder, follower.cursor(), said::add);
      follower.keepCursor(source::cursor);
      await().until(() -> forwarder.counters().acknowledged() >= count);
      if (!once) {
        source.stop();
      }
      assertThat(source.await(Patience.LONG)).isTrue();
      assertThat(source.json())
          .contains("\"journal_entries\":" + count, "\"journal_acknowledged\":" + count);
      assertThat(follower.drain(Patience.LONG)).isTrue();
    }
  }

  private List<Stored> stored() throws IOException {
    List<Stored> stored = new ArrayList<>();
    ReceivingNode.read(
        folder.resolve("node"),
        batch -> {
          assertThat(batch.topic().name()).isEqualTo("journal");
          stored.add(
              new Stored(
                  batch.first().toString(),
                  batch.labels(),
                  Instant.ofEpochMilli(batch.first().millis()),
                  StandardCharsets.UTF_8.decode(batch.payload().duplicate()).toString().strip()));
        });
    return stored;
  }

  @Test
  void entriesAreThereOnceOverRestartsAndWithTheirTimes() throws Exception {
    add(1, 5);
    try (IngestNode node = ReceivingNode.start(folder.resolve("node"))) {
      run(node, "checkpoint", 5, false);
      add(6, 9);
      Files.createFile(folder.resolve("journalctl.fail"));
      run(node, "checkpoint", 4, false);
      add(10, 12);
      run(node, "checkpoint", 3, true);
      run(node, "another", 12, true);
    }
    List<Stored> stored = stored();
    Set<Stored> once = new HashSet<>(stored);
    assertThat(once).as("those that are sent again are the same").hasSize(12);
    assertThat(stored).hasSize(24);
    Labels labels = Labels.of(Map.of("host", "worker-7", "unit", "shop.service"));
    assertThat(once)
        .allMatch(each -> each.labels().equals(labels))
        .extracting(Stored::time)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(1, 12)
                .mapToObj(i -> Instant.ofEpochMilli(now - 100_000 + i))
                .toList());
    assertThat(once).extracting(Stored::text).contains("entry 12  {\"PRIORITY\":\"6\"}\0");
    List<String> calls = Files.readAllLines(folder.resolve("journalctl.calls"));
    assertThat(calls)
        .containsExactly(
            "--system --output=export --follow --no-tail",
            "--system --output=export --follow --after-cursor=s=5 --no-tail",
            "--system --output=export --follow --after-cursor=s=6 --no-tail",
            "--system --output=export --after-cursor=s=9 --no-tail",
            "--system --output=export --no-tail");
    assertThat(said).anyMatch(line -> line.contains("it is started again"));
  }
}
