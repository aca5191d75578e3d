package io.cordwood.ingest.fluent;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.cordwood.common.file.Filesystem;
import io.cordwood.ingest.event.StoredEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients of Fluent Forward send, as it was recorded from them, and what becomes of it. */
class FluentForwardTest extends ForwardFixture {
  private static final String CONTAINER =
      "1c58cf0e64c510ee064febca202b724606ff8f590e832880b7b35e2c1d28aae2";

  /** Docker 20.10, {@code --log-driver fluentd --log-opt fluentd-request-ack=true}. */
  private static final String DOCKER =
      "94aa646f636b65722e617070d7006b088f021abacb9984ac636f6e7461696e65725f6964d94031633538"
          + "636630653634633531306565303634666562636132303262373234363036666638663539306538333238"
          + "383062376233356532633164323861616532ae636f6e7461696e65725f6e616d65ab2f73776565745f70"
          + "617265a6736f75726365a6737464657272a36c6f67a8657272206c696e6581a56368756e6bb8416f3849"
          + "6177414141414262557436725139397675513d3d";

  /** Fluency 2.7: entries as a string, times as numbers and as EventTime. */
  private static final String FLUENCY =
      "93a86a6176612e617070d98892ce6b088e2c82a36d7367a9666c75656e63792030a16e0092ce6b088e2d"
          + "82a36d7367a9666c75656e63792031a16e0192ce6b088e2d82a36d7367a9666c75656e63792032a16e02"
          + "92ce6b088e2d82a36d7367a9666c75656e63792033a16e0392ce6b088e2d82a36d7367a9666c75656e63"
          + "792034a16e0492d7006b088e2d00e4e1c081a26574c382a473697a65cc88a56368756e6bd92433383032"
          + "383032652d613266332d343335322d613139322d393239376466383961303436";

  /** The node.js package fluent-logger 3.4: entries as binary, and as gzip; other options. */
  private static final String NODE_PACKED =
      "93a57461672e6cc42b92ce6b088e2482a372656301a46d6f6465ad5061636b6564466f727761726492ce"
          + "6b088e2481a37265630284a56368756e6bb8796b74715a42626b4348413953365779662b4d5747413d3d"
          + "a473697a652baa636f6d70726573736564a474657874b26576656e74456e7472794461746153697a652b";

  private static final String NODE_GZIP =
      "93a57461672e6cc4441f8b08000000000000039b742e9ba34fad6971516a32e392dcfc94d4edcef9b905"
          + "45a9c5c5a9290189c9d9a9296ef945e589452993c00a1b410a9900c0d5ad8d3500000084a56368756e6b"
          + "b84938544753707849426e5847557872786f52737859773d3da473697a6544aa636f6d70726573736564"
          + "a4677a6970b26576656e74456e7472794461746153697a6535";

  /** Python's fluent-logger 0.11: the record is a text. */
  private static final String PYTHON =
      "93a670792e6c6f67d7006b088d21230035f9b77b276d7367273a202764696374272c202776273a20317d"
          + "93a670792e6c6f67d7006b088d2123060f8aa5706c61696e";

  private List<StoredEvent> stored(int records) throws IOException {
    return StoredEvent.of(node, records);
  }

  /** It would take the end for a lost connection, and come again for ever. */
  @Test
  void aSenderOfCordwoodsIsSentAway() throws Exception {
    String preamble = "CORDWOOD/1 hints=1\n";
    for (int at : new int[] {0, 1, 9}) {
      try (Socket socket = connect(node)) {
        socket.setTcpNoDelay(true);
        socket.getOutputStream().write(preamble.substring(0, at).getBytes(US_ASCII));
        socket.getOutputStream().write(preamble.substring(at).getBytes(US_ASCII));
        assertThat(text(socket.getInputStream().readAllBytes()))
            .matches("error: expected .* for the fast, durable or bulk port\n");
      }
    }
  }

  @Test
  void aLineOfDockersDriverIsThatLineWithItsContainerAsLabels() throws Exception {
    assertThat(send(hex(DOCKER))).isEqualTo("\u0081\u00a3ack\u00b8Ao8IawAAAABbUt6rQ99vuQ==");
    StoredEvent event = stored(1).getFirst();
    assertThat(event.text()).isEqualTo("err line");
    assertThat(event.topic()).isEqualTo("docker.app");
    assertThat(event.labels())
        .isEqualTo(
            Map.of(
                "container_id", CONTAINER,
                "container_name", "sweet_pare",
                "source", "stderr",
                "tag", "docker.app"));
    assertThat(event.beside()).isEmpty();
    assertThat(event.millis())
        .isEqualTo(Instant.ofEpochSecond(0x6b088f02, 0x1abacb99).toEpochMilli());
  }

  @Test
  void entriesAsAStringAreTakenAndTimesOfBothKinds() throws Exception {
    assertThat(send(hex(FLUENCY)))
        .isEqualTo("\u0081\u00a3ack\u00d9$3802802e-a2f3-4352-a192-9297df89a046");
    List<StoredEvent> events = stored(6);
    assertThat(events)
        .extracting(StoredEvent::text)
        .contains("{\"msg\":\"fluency 0\",\"n\":0}", "{\"et\":true}");
    assertThat(events.getFirst().millis()).isEqualTo(0x6b088e2cL * 1000);
    assertThat(events).extracting(StoredEvent::topic).containsOnly("java.app");
  }

  @ParameterizedTest
  @ValueSource(strings = {NODE_PACKED, NODE_GZIP})
  void entriesArePackedAsBinaryOrAsGzip(String message) throws Exception {
    assertThat(send(hex(message))).startsWith("\u0081\u00a3ack\u00b8").endsWith("==");
    assertThat(stored(2))
        .extracting(StoredEvent::text)
        .satisfiesExactly(
            first -> assertThat(first).startsWith("{\"rec\":1,\"mode\":\""),
            second -> assertThat(second).isEqualTo("{\"rec\":2}"));
  }

  @Test
  void aRecordThatIsATextStaysThatText() throws Exception {
    assertThat(send(hex(PYTHON))).isEmpty();
    assertThat(stored(2))
        .extracting(StoredEvent::text)
        .containsExactlyInAnyOrder("{'msg': 'dict', 'v': 1}", "plain");
  }

  private static byte[] entries() throws IOException {
    return packed(packer -> {
      packer.packArrayHeader(2).packLong(1_795_000_000).packMapHeader(1).packString("a").packNil();
      packer.packArrayHeader(2).packDouble(1_795_000_000.25).packString("b");
    });
  }

  @Test
  void entriesComeAsAnArrayToo() throws Exception {
    byte[] message =
        packed(packer -> {
          packer.packArrayHeader(3).packString("t").packArrayHeader(2).addPayload(entries());
          packer.packMapHeader(1).packString("chunk").packString("c1");
        });
    assertThat(send(message)).isEqualTo(ack("c1"));
    List<StoredEvent> events = stored(2);
    assertThat(events).extracting(StoredEvent::text).containsExactly("{\"a\":null}", "b");
    assertThat(events.getLast().millis()).isEqualTo(1_795_000_000_250L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd"})
  void packedEntriesAreUnpacked(String how) throws Exception {
    var bytes = new ByteArrayOutputStream();
    if (how.equals("zstd")) {
      bytes.writeBytes(Zstd.compress(entries()));
    } else {
      // As fluentd appends: one member after the other.
      for (int i = 0; i < 2; i++) {
        try (var gzip = new GZIPOutputStream(bytes)) {
          gzip.write(entries());
        }
      }
    }
    assertThat(send(packedForward(bytes.toByteArray(), how, "c"))).isEqualTo(ack("c"));
    assertThat(stored(how.equals("zstd") ? 2 : 4))
        .extracting(StoredEvent::text)
        .contains("{\"a\":null}", "b");
  }

  private static byte[] packedForward(byte[] entries, String how, String chunk) throws IOException {
    return packed(packer -> {
      packer.packArrayHeader(3).packString("t");
      packer.packBinaryHeader(entries.length).addPayload(entries);
      packer.packMapHeader(3).packString("size").packInt(2);
      packer.packString("compressed").packString(how).packString("chunk").packString(chunk);
    });
  }

  @Test
  void keysOfKubernetesAreLabelsAndStayInTheObject() throws Exception {
    byte[] message =
        packed(packer -> {
          packer.packArrayHeader(3).packString("kube.var").packInt(1_795_000_000);
          packer.packMapHeader(2).packString("log").packString("up");
          packer.packString("kubernetes").packMapHeader(5);
          packer.packString("pod_name").packString("shop-7");
          packer.packString("namespace_name").packString("prod");
          packer.packString("container_name").packString("web");
          packer.packString("host").packString("node-1");
          packer.packString("labels").packMapHeader(1).packString("app").packString("shop");
        });
    assertThat(send(message)).isEmpty();
    StoredEvent event = stored(1).getFirst();
    assertThat(event.topic()).isEqualTo("shop");
    assertThat(event.labels())
        .isEqualTo(
            Map.of(
                "pod", "shop-7",
                "namespace", "prod",
                "container", "web",
                "node", "node-1",
                "app", "shop",
                "tag", "kube.var"));
    assertThat(event.text())
        .isEqualTo(
            "{\"log\":\"up\",\"kubernetes\":{\"pod_name\":\"shop-7\",\"namespace_name\":\"prod\","
                + "\"container_name\":\"web\",\"host\":\"node-1\",\"labels\":{\"app\":\"shop\"}}}");
  }

  @Test
  void metadataOfFluentBitStandsBeside() throws Exception {
    byte[] message =
        packed(packer -> {
          packer.packArrayHeader(2).packString("t").packArrayHeader(1).packArrayHeader(2);
          packer.packArrayHeader(2).packInt(1_795_000_000);
          packer.packMapHeader(1).packString("k").packString("v");
          packer.packMapHeader(1).packString("log").packString("x");
        });
    assertThat(send(message)).isEmpty();
    StoredEvent event = stored(1).getFirst();
    assertThat(event.text()).isEqualTo("{\"log\":\"x\"}");
    assertThat(event.beside()).isEqualTo(Map.of("metadata", "{\"k\":\"v\"}"));
  }

  @Test
  void whatDockerAddsStandsBesideTheLine() throws Exception {
    byte[] message =
        packed(packer -> {
          packer.packArrayHeader(3).packString("t").packInt(0);
          packer.packMapHeader(6).packString("log").packString("line");
          packer.packString("container_id").packString("1");
          packer.packString("com.example.team").packString("é {");
          packer.packString("container_name").packString("/n");
          packer.packString("time").packString("mine").packString("source").packString("stdout");
        });
    assertThat(send(message)).isEmpty();
    StoredEvent event = stored(1).getFirst();
    assertThat(event.text()).isEqualTo("line");
    assertThat(event.beside()).isEqualTo(Map.of("com.example.team", "é {", "attr.time", "mine"));
  }

  @Test
  void manyMessagesThatComeTogetherAreEachAcknowledgedInOrder() throws Exception {
    var all = new ByteArrayOutputStream();
    var acks = new StringBuilder();
    for (int i = 0; i < 2000; i++) {
      String chunk = i % 3 == 0 ? "" : "c" + i;
      all.writeBytes(message("t" + i % 5, 1_795_000_000 + i / 10, "m" + i, chunk));
      acks.append(chunk.isEmpty() ? "" : ack(chunk));
    }
    all.write(0xc0);
    assertThat(send(all.toByteArray())).isEqualTo(acks.toString());
    assertThat(stored(2000)).extracting(StoredEvent::text).doesNotHaveDuplicates();
    node.assertLedgerIsExact();
  }

  @Test
  void aMessageThatIsCutAnywhereIsNotAcknowledged() throws Exception {
    for (String hex : List.of(DOCKER, FLUENCY, NODE_GZIP)) {
      byte[] whole = hex(hex);
      for (int bytes = 1; bytes < whole.length; bytes++) {
        assertThat(send(Arrays.copyOf(whole, bytes))).as("cut after %d", bytes).isEmpty();
      }
    }
    assertThat(node.counted("records_stored")).isZero();
    node.assertLedgerIsExact();
  }

  @Test
  void whatIsNoMessageEndsTheConnectionAndWhatCameBeforeItIsStored() throws Exception {
    List<byte[]> wrong =
        List.of(
            "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
            hex("9101"),
            hex("93a174c10102"),
            hex("05"),
            hex("94a17401a178" + "93010203"),
            hex("93a174" + "dd7fffffff"),
            hex("93a174" + "c67fffffff"),
            hex("93a174" + "dfffffffff"),
            hex("93a174" + "01" + "91".repeat(200) + "c0"),
            hex("93a174" + "c403010203" + "80"),
            hex("93a174" + "d700".repeat(1) + "00" + "c0"),
            packedForward(new byte[20], "gzip", "c"),
            packedForward(new byte[20], "lzma", "c"));
    for (int i = 0; i < wrong.size(); i++) {
      var bytes = new ByteArrayOutputStream();
      bytes.writeBytes(message("t", 1_795_000_000, "good " + i, "g"));
      bytes.writeBytes(wrong.get(i));
      assertThat(send(bytes.toByteArray())).as("message %d", i).isIn(ack("g"), "");
    }
    assertThat(stored(wrong.size())).extracting(StoredEvent::text).doesNotHaveDuplicates();
    assertThat(node.counted("requests", "protocol", "fluent", "outcome", "refused"))
        .isEqualTo(wrong.size());
    node.assertLedgerIsExact();
  }

  @Test
  void aBombIsNotUnpackedToItsEnd() throws Exception {
    var bomb = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bomb)) {
      gzip.write(hex("9201dbffffffff"));
      gzip.write(new byte[80 << 20]);
    }
    assertThat(send(packedForward(bomb.toByteArray(), "gzip", "c"))).isEmpty();
    assertThat(node.counted("records_stored")).isZero();
    node.assertLedgerIsExact();
  }

  @Test
  void aZstdWindowIsAsLargeAsEveryDecoderHasItAndNoLarger() throws Exception {
    for (int log : new int[] {23, 27}) {
      var bytes = new ByteArrayOutputStream();
      try (var zstd = new ZstdOutputStreamNoFinalizer(bytes).setLong(log)) {
        zstd.write(hex("9201a178"));
      }
      assertThat(send(packedForward(bytes.toByteArray(), "zstd", "c")))
          .isEqualTo(log == 23 ? ack("c") : "");
    }
  }

  @Test
  void timesOfAllAgesAreTaken() throws Exception {
    close();
    node = started("near", Duration.ofHours(24), Filesystem.real());
    long[] times = {0, 1, -1, 18_429_000_000L, Long.MAX_VALUE, Long.MIN_VALUE};
    for (long time : times) {
      assertThat(send(message("t", time, "m" + time, "c"))).isEqualTo(ack("c"));
    }
    assertThat(stored(times.length))
        .extracting(event -> event.beside().getOrDefault("time", "-"))
        .contains("-", "1970-01-01T00:00:01Z", "1969-12-31T23:59:59Z", "2553-12-28T14:40:00Z");
  }
}
