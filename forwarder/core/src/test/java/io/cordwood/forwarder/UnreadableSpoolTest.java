package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A file of a spool that cannot be read now is not damaged: it is sent once it can be. */
final class UnreadableSpoolTest extends SpoolFixture {
  private static final List<String> EARLIER = numbered(0, 20);
  private static final List<String> LATER = numbered(20, 30);

  /** What keeps a file closed; all but the first also for root. */
  enum Obstacle {
    PERMISSION {
      @Override
      void put(Path file, Path elsewhere) {
        assertThat(file.toFile().setReadable(false)).isTrue();
        assumeFalse(Files.isReadable(file), "root reads all there is");
      }

      @Override
      void remove(Path file, Path elsewhere) {
        assertThat(file.toFile().setReadable(true)).isTrue();
      }
    },
    FOLDER {
      @Override
      void put(Path file, Path elsewhere) throws IOException {
        Files.move(file, elsewhere);
        Files.createDirectory(file);
      }
    },
    LINK_TO_NOTHING_YET {
      @Override
      void put(Path file, Path elsewhere) throws IOException {
        Files.move(file, elsewhere);
        Files.createSymbolicLink(file, file.resolveSibling("nothing"));
      }
    },
    LINK_TO_ITSELF {
      @Override
      void put(Path file, Path elsewhere) throws IOException {
        Files.move(file, elsewhere);
        Files.createSymbolicLink(file, file);
      }
    };

    abstract void put(Path file, Path elsewhere) throws IOException;

    void remove(Path file, Path elsewhere) throws IOException {
      Files.delete(file);
      Files.move(elsewhere, file);
    }
  }

  @ParameterizedTest
  @EnumSource
  void staysWhereItIsAndIsSentByTheStartThatCanReadIt(Obstacle obstacle) throws IOException {
    leave(EARLIER);
    Path file = files(SpoolFile.ENDING).get(0);
    Path elsewhere = base.resolve("elsewhere");
    obstacle.put(file, elsewhere);
    leave(LATER);
    assertThat(complaints)
        .anyMatch(c -> c.startsWith(file + ": ") && c.contains("left there for the next start"));
    startNodeAgain();
    try (Forwarder forwarder = start(SpoolOptions.DEFAULT_BYTES)) {
      await().atMost(LONG).until(() -> isThrough(forwarder));
      SpoolCounters spool = forwarder.counters().spool();
      assertThat(spool.unreadableFiles()).isOne();
      assertThat(spool.damagedBytes()).isZero();
      assertThat(spool.failures()).isZero();
      assertLedgerHolds(forwarder);
    }
    awaitKeepers();
    assertThat(archive.records()).isEqualTo(LATER);
    assertThat(files(SpoolFile.ENDING)).containsExactly(file);
    obstacle.remove(file, elsewhere);
    node.close();
    assertThat(sendWhatIsLeft().spool().unreadableFiles()).isZero();
    assertThat(archive.records()).hasSize(30).containsAll(EARLIER);
  }

  @Test
  void whatADiskDoesNotGiveLaterIsLeftToTheNextStartAndIsNotLost() throws IOException {
    leave(EARLIER);
    Path file = files(SpoolFile.ENDING).get(0);
    byte[] whole = Files.readAllBytes(file);
    try (Spool spool = Spool.open(new SpoolOptions(folder, SpoolOptions.DEFAULT_BYTES));
        var cut = new RandomAccessFile(file.toFile(), "rw")) {
      cut.setLength(100);
      assertThatThrownBy(spool::next).isInstanceOf(IOException.class);
      assertThat(spool.takeLostRecords()).isZero();
      assertThat(spool.takeLeftRecords()).isEqualTo(20);
      assertThat(spool.unreadableFiles()).isOne();
      assertThat(spool.bytes()).isZero();
      assertThat(spool.takeComplaints()).singleElement().asString().contains(file.toString());
      assertThat(spool.next()).isNull();
    }
    Files.write(file, whole);
    assertThat(sendWhatIsLeft().acknowledged()).isEqualTo(20);
    assertThat(archive.records()).isEqualTo(EARLIER);
  }
}
