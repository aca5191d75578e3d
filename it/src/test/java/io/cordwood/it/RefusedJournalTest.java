package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.agent.journal.JournalOptions;
import io.cordwood.agent.journal.JournalSource;
import io.cordwood.common.access.TokenText;
import io.cordwood.common.net.FreePorts;
import io.cordwood.common.testing.Patience;
import io.cordwood.common.wire.Labels;
import io.cordwood.forwarder.Forwarder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entries of a journal that a node refuses hold up no others, and are there once it takes them. */
final class RefusedJournalTest {
  /** More than a forwarder holds of a journal. */
  private static final int ENTRIES = 100;

  private static final String LONG_TEXT = "x".repeat(100_000);

  /** Prints the file beside it from behind a cursor, as journalctl does. */
  private static final String SCRIPT =
      """
      #!/bin/sh
      next=1 follow=
      for word in "$@"; do
        case $word in
          --after-cursor=s=*) next=$((${word#--after-cursor=s=} + 1)) ;;
          --follow) follow=yes ;;
        esac
      done
      sed -n "/^__CURSOR=s=$next\\$/,\\$p" "$0.entries"
      [ -z "$follow" ] || exec sleep 1000
      """;

  @TempDir private Path folder;
  private final String text = TokenText.random();

  /** Entries of two units in turn; the texts. */
  private List<String> writeJournal() throws IOException {
    List<String> texts = new ArrayList<>();
    var out = new StringBuilder();
    long millis = System.currentTimeMillis();
    for (int i = 1; i <= ENTRIES; i++) {
      boolean isShop = i % 2 == 0;
      String message = "entry " + i + (isShop ? "" : LONG_TEXT);
      out.append("__CURSOR=s=").append(i).append('\n');
      out.append("__REALTIME_TIMESTAMP=").append(millis).append("000\n_SYSTEMD_UNIT=");
      out.append(isShop ? "shop.service" : "secret.service").append("\nMESSAGE=");
      out.append(message).append("\n\n");
      texts.add("entry " + i);
    }
    Files.writeString(folder.resolve("journalctl.entries"), out);
    Path script = Files.writeString(folder.resolve("journalctl"), SCRIPT);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    return texts;
  }

  private JournalSource start(Forwarder forwarder, String cursor) {
    var options =
        new JournalOptions(
            List.of(folder.resolve("journalctl").toString()), "journal", Labels.NONE, false, false);
    return JournalSource.start(options, forwarder, cursor, _ -> {});
  }

  @Test
  void theyHoldUpNoOthersAndAreThereOnceANodeTakesThem() throws Exception {
    List<String> texts = writeJournal();
    Forwarder forwarder;
    JournalSource source;
    int port = FreePorts.next();
    try (TokenNode _ = TokenNode.start(folder, port, text, Map.of("unit", "shop.service"))) {
      forwarder = TokenNode.forwarder(port, text);
      source = start(forwarder, "");
      await().until(() -> forwarder.counters().acknowledged() == ENTRIES / 2);
      assertThat(source.cursor()).as("before all that are refused").isEmpty();
      await().until(() -> !source.json().contains("\"journal_put_off\":0,"));
    }
    try (forwarder;
        TokenNode _ = TokenNode.start(folder, port, text, Map.of())) {
      await().untilAsserted(() -> assertThat(source.cursor()).isEqualTo("s=" + ENTRIES));
      source.stop();
      assertThat(source.await(Patience.LONG)).isTrue();
    }
    assertThat(
            InProcessNode.recovered(folder.resolve("node")).values().stream()
                .map(text -> text.replaceAll("[x\0]+$", "")))
        .containsExactlyInAnyOrderElementsOf(texts);
  }
}
