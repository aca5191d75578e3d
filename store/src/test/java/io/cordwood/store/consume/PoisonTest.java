package io.cordwood.store.consume;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.PassThroughFilesystem;
import io.cordwood.common.file.WritableFile;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.node.StoreNode;
import io.cordwood.store.segment.Stored;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One batch that no segment can be written with keeps no other from being stored. */
final class PoisonTest {
  private static final Topic POISON = new Topic("poisoned.topic");

  @TempDir Path folder;
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Records records = new Records(5);
  private final TestIngestNode node = new TestIngestNode();
  private final Disk disk = new Disk();

  @AfterEach
  void close() {
    node.close();
  }

  private StoreNode start() throws IOException {
    List<URI> uris = List.of(node.uri());
    return StoreNode.start(
        StoreOptions.at(folder).withGather(1 << 20, Duration.ofMillis(50)),
        KnownPeers.onlyIngestNodes(() -> uris),
        disk,
        registry,
        InstantSource.system());
  }

  private List<Batch> batches(int count, Topic topic) {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      batches.add(records.batch(topic, 20));
    }
    return batches;
  }

  private double count(String name) {
    return registry.get("cordwood.store." + name).counter().count();
  }

  private List<Path> setAside() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("damaged"))) {
      return files.sorted().toList();
    }
  }

  private static boolean lacks(StoreNode store, Batch batch) throws IOException {
    try (var view = store.segments().view(batch.range())) {
      return view.lack().isPresent();
    }
  }

  @Test
  void theRestIsStoredAndAnswersSayWhatIsLacking() throws IOException {
    List<Batch> good = new ArrayList<>();
    List<Batch> bad = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      List<Batch> segment = new ArrayList<>(batches(15, new Topic("topic" + i)));
      good.addAll(segment);
      if (i % 4 == 1) {
        bad.addAll(batches(1, POISON));
        segment.add(7, bad.getLast());
      }
      node.add(segment);
    }
    try (StoreNode store = start()) {
      await().until(() -> node.left() == 0);
      assertThat(Stored.batches(store.segments())).isEqualTo(SegmentFiles.sorted(good));
      await().until(() -> count("poison.batches") == bad.size());
      assertThat(count("stored.records")).isEqualTo(good.stream().mapToLong(Batch::records).sum());
      List<Path> kept = setAside();
      for (int i = 0; i < bad.size(); i++) {
        assertThat(kept.get(i)).hasFileName(bad.get(i).range() + ".batch");
        assertThat(kept.get(i)).hasBinaryContent(bad.get(i).encode().array());
        assertThat(lacks(store, bad.get(i))).isTrue();
      }
      assertThat(kept).hasSameSizeAs(bad);
    }
    try (StoreNode again = start()) {
      for (Batch batch : bad) {
        assertThat(lacks(again, batch)).as("after a restart").isTrue();
      }
    }
  }

  @Test
  void aDiskThatSpoilsAllMakesNoBatchGuilty() throws IOException {
    List<Batch> good = batches(40, Topic.DEFAULT);
    node.add(good);
    disk.spoilsAll = true;
    try (StoreNode store = start()) {
      await().until(() -> node.fails.get() > 1);
      assertThat(setAside()).isEmpty();
      assertThat(count("poison.batches")).isZero();
      disk.spoilsAll = false;
      await().until(() -> node.left() == 0);
      assertThat(Stored.batches(store.segments())).isEqualTo(SegmentFiles.sorted(good));
    }
  }

  @Test
  void oneAloneIsJudgedBesideOneThatIsMadeForThat() throws IOException {
    List<Batch> bad = batches(1, POISON);
    node.add(bad);
    try (StoreNode store = start()) {
      await().until(() -> node.left() == 0);
      assertThat(setAside()).hasSize(1);
      assertThat(lacks(store, bad.getFirst())).isTrue();
      assertThat(Stored.batches(store.segments())).isEmpty();
    }
  }

  @Test
  void aSegmentOfWhichTooMuchCannotBeStoredIsGivenBackAsSuchAndAllOthersAreStored()
      throws IOException {
    List<Batch> good = new ArrayList<>();
    String bad = "";
    for (int i = 0; i < 9; i++) {
      List<Batch> segment = new ArrayList<>(batches(5, new Topic("topic" + i)));
      if (i == 4) {
        segment.addAll(batches(17, POISON));
        bad = node.add(segment);
      } else {
        good.addAll(segment);
        node.add(segment);
      }
    }
    try (StoreNode store = start()) {
      await().until(() -> node.left() == 1 && !node.unstorable.isEmpty());
      assertThat(Stored.batches(store.segments())).isEqualTo(SegmentFiles.sorted(good));
      assertThat(node.unstorable).containsExactly(bad);
      assertThat(setAside()).isEmpty();
    }
  }

  /** Flips the last bit of segments that hold the topic, or of all. */
  private static final class Disk extends PassThroughFilesystem {
    private volatile boolean spoilsAll;

    @Override
    public WritableFile create(Path file) throws IOException {
      WritableFile real = super.create(file);
      return file.toString().endsWith(".active") ? new Spoilt(file, real) : real;
    }

    private final class Spoilt implements WritableFile {
      private final Path file;
      private final WritableFile real;
      private boolean holdsPoison;

      Spoilt(Path file, WritableFile real) {
        this.file = file;
        this.real = real;
      }

      private ByteBuffer seen(ByteBuffer source) {
        ByteBuffer copy = source.duplicate();
        byte[] bytes = new byte[copy.remaining()];
        copy.get(bytes);
        holdsPoison |= new String(bytes, US_ASCII).contains(POISON.name());
        return source;
      }

      @Override
      public int write(ByteBuffer source) throws IOException {
        return real.write(seen(source));
      }

      @Override
      public long write(ByteBuffer[] sources) throws IOException {
        return write(sources, 0, sources.length);
      }

      @Override
      public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
          seen(sources[i]);
        }
        return real.write(sources, offset, length);
      }

      @Override
      public void force() throws IOException {
        real.force();
        if (holdsPoison || spoilsAll) {
          try (var channel =
              FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            var last = ByteBuffer.allocate(1);
            channel.read(last, channel.size() - 1);
            channel.write(last.put(0, (byte) (last.get(0) ^ 1)).clear(), channel.size() - 1);
          }
        }
      }

      @Override
      public long size() throws IOException {
        return real.size();
      }

      @Override
      public void cut() throws IOException {
        real.cut();
      }

      @Override
      public boolean isOpen() {
        return real.isOpen();
      }

      @Override
      public void close() throws IOException {
        real.close();
      }
    }
  }
}
