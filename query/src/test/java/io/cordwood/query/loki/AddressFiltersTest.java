package io.cordwood.query.loki;

import static io.cordwood.query.loki.LokiClient.path;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.loki.LokiClient.Line;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** IP addresses in lines, fields and labels, and lines that were packed with labels. */
final class AddressFiltersTest {
  private final TestCluster cluster = new TestCluster(1);
  private LokiClient client;

  @BeforeEach
  void start() throws IOException {
    cluster.store(
        "store",
        new SegmentFixture(
            1,
            1,
            List.of(
                Records.lines(
                        new Topic("shop"),
                        Ulid.firstOf(1_700_000_000_000L),
                        "0 from 10.1.2.3:8080 to [2001:DB8:0:0::7]:443",
                        "1 addr=10.1.2.40 msg=taken",
                        "2 addr=none msg=10.1.2.3.4",
                        "3 msg=none",
                        "{\"n\":4,\"peer\":{\"ip\":\"::ffff:192.0.2.1\"}}",
                        "{\"pod\":\"web-a\",\"_entry\":\"5 packed\\nline of 10.1.2.3\"}")
                    .labelled(Labels.of(Map.of("host", "172.16.0.9"))))));
    client = new LokiClient(cluster.query("asked").port());
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private List<Line> lines(String query) throws IOException {
    return client.lines(
        path("query_range", "query", query, "start", "1700000000", "end", "1700000001"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          |= ip("10.1.2.3"); 0 5
          |= ip("10.1.2.0/24"); 0 1 5
          |= ip("10.1.2.0/24") != ip("10.1.2.3"); 1
          != ip("10.0.0.0/8"); 2 3 4
          |= ip("2001:db8::/32"); 0
          |= ip("2001:db8::1-2001:db8::6") or "msg"; 1 2 3
          |= ip("10.1.2.0-10.1.2.255") |~ "addr|to"; 0 1
          | addr=ip("10.1.2.32/27"); 1
          | addr!=ip("10.1.2.32/27"); 2
          | json | peer_ip=ip("::ffff:192.0.2.0/120"); 4
          | host=ip("172.16.0.0/12") | addr="none"; 2
          | host!=ip("172.16.0.0/12"); ''
          | unpack | pod="web-a"; 5
          """)
  void recordsAreFoundByAddress(String filters, String numbers) throws IOException {
    assertThat(lines("{} " + filters))
        .extracting(line -> line.text().replaceAll("(?s)^\\D*(\\d).*", "$1"))
        .containsExactlyInAnyOrder(numbers.isEmpty() ? new String[0] : numbers.split(" "));
  }

  @Test
  void whatWasPackedIsTheLineAgain() throws IOException {
    assertThat(lines("{} |= `packed` | unpack | label_format x=pod"))
        .singleElement()
        .satisfies(line -> {
          assertThat(line.text()).isEqualTo("5 packed\nline of 10.1.2.3");
          assertThat(line.parsed()).isEqualTo(Map.of("x", "web-a"));
        });
    assertThat(lines("{} |= `taken` | unpack"))
        .singleElement()
        .satisfies(line -> assertThat(line.text()).startsWith("1 addr"));
  }
}
