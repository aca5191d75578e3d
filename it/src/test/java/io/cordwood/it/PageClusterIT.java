package io.cordwood.it;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The page in a browser: the cluster, and nodes that are missing. */
final class PageClusterIT extends PageFixture {
  @Test
  void aNodeThatIsMissingIsNamedInTheAnswerAndInTheClusterView() throws IOException {
    String[] quick = {"--gossip-profile=local"};
    try (NodeProcess one = NodeProcess.start(folder.resolve("one"), quick)) {
      String peer = "--peer=127.0.0.1:" + one.port("gossip");
      try (NodeProcess other =
          NodeProcess.start(
              "store", folder.resolve("other"), quick[0], peer, "--replication-factor=1")) {
        one.send(orders("shop", 0, 50));
        one.awaitRecords(50);
        open(one, "?view=cluster");
        browser.awaitText("#cluster td", "alive");
        browser.awaitText("#cluster", "Nothing is wrong");
        browser.awaitTrue(
            "/^\\s*shop 50 50 0 .* balances\\s*$/.test("
                + "document.querySelector('.ledger tbody').innerText.replaceAll(/\\s+/g, ' '))");
        other.kill();
        browser.click("#view-records");
        browser.awaitText("#said", "50 records");
        browser.click("#go");
        browser.awaitText("#badge", "may be incomplete");
        browser.click("#badge");
        browser.awaitText(".explained", "store ");
        browser.awaitText(".explained", "records may be missing");
        browser.press("Escape");
        browser.click("#view-cluster");
        browser.awaitText("#cluster .bad", "is lost since");
        browser.awaitText("#cluster .bad", "Start it again with its data folder");
      }
    }
  }
}
