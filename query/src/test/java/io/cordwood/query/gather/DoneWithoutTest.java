package io.cordwood.query.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.GatedSource;
import io.cordwood.query.TestCluster;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A store that was not waited for has been needed if the one that was says last what it lacks. */
final class DoneWithoutTest {
  /** All but the first segment, and it says so. */
  private record WithoutFirst(SegmentSource.View all) implements SegmentSource.View {
    @Override
    public List<? extends Segment> segments() {
      return all.segments().subList(1, all.segments().size());
    }

    @Override
    public Optional<SegmentSource.Lack> lack() {
      return Optional.of(
          new SegmentSource.Lack(all.segments().getFirst().range(), "it was damaged"));
    }

    @Override
    public void close() {
      all.close();
    }
  }

  @Test
  void aStoreWhoseRecordsCameTooLateIsMissedIfTheOthersLackSome() throws IOException {
    try (var cluster = new TestCluster(2)) {
      var late = new GatedSource(10);
      GatedSource whole = new GatedSource(10).letFirst(5);
      cluster.store("late", late);
      cluster.store("lacking", range -> new WithoutFirst(whole.view(range)));
      int port = cluster.query("asked").port();
      URI uri = URI.create("http://127.0.0.1:" + port + "/query?from=" + from());
      var connection = (HttpURLConnection) uri.toURL().openConnection();
      try (var in =
          new BufferedReader(
              new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
        String line = in.readLine();
        while (line != null && !line.equals("record 1")) {
          line = in.readLine();
        }
        late.letAll();
        whole.letAll();
        assertThat(in.lines()).doesNotContain("record 0").contains("record 9");
      }
      assertThat(connection.getHeaderField("cordwood-verdict")).isEqualTo("possibly-incomplete");
      assertThat(connection.getHeaderField("cordwood-missing"))
          .contains("store late ", "store lacking ");
    }
  }

  private static Ulid from() {
    return Ulid.firstOf(GatedSource.FIRST_MILLIS);
  }
}
