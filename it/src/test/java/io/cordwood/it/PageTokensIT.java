package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a node that asks for tokens, in a browser. */
final class PageTokensIT {
  @TempDir private Path folder;

  @Test
  void aNodeThatAsksForATokenIsSignedInto() throws IOException {
    Optional<Path> chromium = Browser.find();
    if (chromium.isEmpty()) {
      Skipped.say("signing in by the page in a browser", "no chromium on the PATH");
      assumeTrue(false, "no chromium");
    }
    String tokens = folder.resolve("tokens").toString();
    Program.Result made = Program.run("token", "add", "ann", "--scope=query", "--file=" + tokens);
    Program.Result ofSender =
        Program.run("token", "add", "shop", "--scope=ingest", "--file=" + tokens);
    try (NodeProcess node =
            NodeProcess.start(folder.resolve("node"), "--tokens", tokens, "--open-ingest");
        Browser browser = Browser.start(chromium.get(), folder.resolve("browser"))) {
      node.send("a secret line\n");
      browser.open("http://localhost:" + node.apiPort() + "/?q=secret");
      browser.awaitTrue("document.getElementById('signin').open");
      assertThat(browser.text("#list")).doesNotContain("secret");
      browser.type("cw_wrong");
      browser.press("Enter");
      browser.awaitText("#signin-said", "expected a token");
      browser.evaluate("document.getElementById('signin-token').value = ''");
      browser.type(made.text().strip());
      browser.press("Enter");
      browser.awaitText("#said", "1 record ");
      assertThat(browser.text("#list .text")).isEqualTo("a secret line");
      assertThat(browser.word("document.cookie")).isEmpty();
      browser.click("#signout");
      browser.awaitTrue("document.getElementById('signin')?.open");
      assertThat(browser.text("#list")).doesNotContain("secret");
      signIn(browser, ofSender.text().strip());
      browser.awaitText("#signin-said", "xpected a token with the scope query");
      browser.awaitText("#trouble", "Sign in with another token");
      signIn(browser, made.text().strip());
      browser.awaitText("#said", "1 record ");
      assertThat(browser.complaints()).isEmpty();
    }
  }

  private static void signIn(Browser browser, String token) throws IOException {
    browser.evaluate("document.getElementById('signin-token').focus()");
    browser.type(token);
    browser.press("Enter");
  }
}
