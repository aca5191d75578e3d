package io.cordwood.ingest.node;

import io.cordwood.ingest.IngestOptions;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a node of their own, over HTTP. */
public abstract class HttpNodeFixture {
  @TempDir protected Path folder;
  protected HttpNode http;

  @BeforeEach
  final void startNode() throws IOException {
    http = start(RunningNode.options(folder));
  }

  /** Starts it, in another way if a test needs it. */
  protected HttpNode start(IngestOptions options) throws IOException {
    return new HttpNode(options);
  }

  @AfterEach
  final void closeNode() throws IOException {
    http.close();
  }
}
