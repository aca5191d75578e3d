package io.cordwood.ingest.node;

import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.FaultyFilesystem.Call;
import io.cordwood.ingest.IngestOptions;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;

/** A node whose disk forces nothing while it is told to fail. */
public abstract class FailingDiskFixture extends HttpNodeFixture {
  protected final AtomicBoolean failing = new AtomicBoolean();

  @Override
  protected final HttpNode start(IngestOptions options) throws IOException {
    var files = new FaultyFilesystem((call, _) -> call == Call.FORCE && failing.get());
    return new HttpNode(options, files);
  }

  protected final HttpResponse<String> post(String path, String body, String... headers)
      throws Exception {
    return http.post(path, body.getBytes(StandardCharsets.UTF_8), headers);
  }
}
