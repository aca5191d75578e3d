package io.cordwood.cli.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.cli.program.CommandRun;
import io.cordwood.common.deletion.DeletionExchange;
import io.cordwood.common.deletion.DeletionSpread;
import io.cordwood.common.deletion.Deletions;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerCredentials;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.testing.Patience;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.LocalRecords;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DeleteCommandTest {
  private static final String[] RANGE = {"--topic=shop", "--from=2023-11-14", "--to=2023-11-15"};

  @TempDir private Path folder;
  private final TestCluster cluster = new TestCluster(1);
  private final PeerClient client =
      new PeerClient(Patience.LONG, Patience.LONG, PeerCredentials.NONE);
  private Deletions deletions = Deletions.none();
  private int port;

  @BeforeEach
  void start() throws IOException {
    deletions = Deletions.open(folder, Filesystem.real(), new SimpleMeterRegistry());
    var batch =
        Records.lines(
            new Topic("shop"), Ulid.firstOf(1_700_000_000_000L), "user=anna", "user=bert");
    TestCluster.Node node =
        cluster.add(
            "a",
            LocalRecords.without(
                deletions,
                Optional.empty(),
                Optional.of(new SegmentFixture(1, 1, List.of(batch))),
                Optional.empty()));
    node.deletes(new DeletionSpread(new DeletionExchange(deletions, client), List::of));
    port = node.port();
  }

  @AfterEach
  void stop() {
    cluster.close();
    client.close();
  }

  private CommandRun run(String... flags) {
    String[] all =
        Stream.concat(Stream.of("--node=127.0.0.1:" + port), Stream.of(flags))
            .toArray(String[]::new);
    return CommandRun.of("delete", new DeleteCommand(), all);
  }

  private static String[] with(String... more) {
    return Stream.concat(Stream.of(RANGE), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void nobodyWhoCanBeAskedDeletesNothingWithoutYes() {
    CommandRun run = run(RANGE);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo(
            "cordwood delete: nothing is deleted: expected --yes, or a terminal to ask at, found"
                + " neither\n");
    assertThat(deletions.known().size()).isZero();
  }

  @Test
  void whatWasCountedIsDeletedWithYesAndThenThereIsNothing() {
    assertThat(run(with("--yes", "--where=user=anna"))).isEqualTo(new CommandRun(0, ""));
    assertThat(deletions.known().all())
        .singleElement()
        .satisfies(it -> assertThat(it.namedRecords()).isEqualTo(1));
    assertThat(run(with("--yes"))).isEqualTo(new CommandRun(0, ""));
    assertThat(deletions.known().size()).isEqualTo(2);
    assertThat(run(with("--yes"))).as("there is none").isEqualTo(new CommandRun(1, ""));
    assertThat(deletions.known().size()).isEqualTo(2);
  }

  @Test
  void nowIsWhenTheCommandBegan() {
    Instant before = Instant.now();
    CommandRun run = run("--yes", "--topic=shop", "--from=2023-01-01", "--to=now");
    assertThat(run).isEqualTo(new CommandRun(0, ""));
    assertThat(deletions.known().all())
        .singleElement()
        .satisfies(it ->
            assertThat(it.range().to().time())
                .isBetween(before.truncatedTo(ChronoUnit.MILLIS), it.id().time()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--from=2d --to=1d             | expected --topic, found none",
        "--topic=shop --to=1d          | expected --from and --to, or --around, found no --from",
        "--topic=shop --from=1d        | expected --from and --to, or --around, found no --to",
        "--topic=shop --from=2d --to=1d --where=a | --where: ",
        "--topic=shop --from=2d --to=2100-01-01 | parameter to: expected a time until now",
      })
  void whatCannotBeIsSaidInOneLine(String flags, String expected) {
    CommandRun run =
        run(
            Stream.concat(Stream.of("--yes"), Stream.of(flags.split(" ", -1)))
                .toArray(String[]::new));
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("cordwood delete: ").contains(expected).hasLineCount(1);
    assertThat(deletions.known().size()).isZero();
  }
}
