package io.cordwood.ingest.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.FaultyFilesystem.Call;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.IngestOptions.Bulk;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a disk does not take is no success on any path, and is taken when it comes again. */
final class HttpPathsOnFailingDiskTest extends HttpNodeFixture {
  private static final Map<String, String> TYPES =
      Map.of("/upload", "application/vnd.fdo.journal", "/t/_bulk", "application/x-ndjson");

  /** Paths, and bodies that have a record. */
  private static final List<String> REQUESTS =
      List.of(
          "/ingest?durability=fast x",
          "/ingest x",
          "/insert/jsonline {\"a\":1}",
          "/loki/api/v1/push {\"streams\":[{\"stream\":{},\"values\":[[\"1\",\"x\"]]}]}",
          "/services/collector {\"event\":\"x\"}",
          "/services/collector/raw x",
          "/api/v2/logs [{\"message\":\"x\"}]",
          "/t/_bulk {\"create\":{}}\n{\"a\":1}\n",
          "/v1/logs {\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{\"body\":"
              + "{\"stringValue\":\"x\"}}]}]}]}",
          "/gelf {\"host\":\"h\",\"short_message\":\"x\"}",
          "/upload MESSAGE=x\n\n");

  private final AtomicReference<@Nullable Call> failing = new AtomicReference<>();

  @Override
  protected HttpNode start(IngestOptions options) throws IOException {
    var bulk = new Bulk(0, 64 << 20, 4, Duration.ofSeconds(1), 1 << 10, RunningNode.PATIENCE);
    return new HttpNode(
        options.with(bulk), new FaultyFilesystem((call, _) -> call == failing.get()));
  }

  private HttpResponse<String> post(String request) throws Exception {
    String path = request.substring(0, request.indexOf(' '));
    byte[] body = request.substring(path.length() + 1).getBytes(StandardCharsets.UTF_8);
    return http.post(path, body, "content-type", TYPES.getOrDefault(path, "application/json"));
  }

  @Test
  void whatADiskDoesNotTakeIsNotNow() throws Exception {
    for (Call call : new Call[] {Call.WRITE, Call.FORCE}) {
      failing.set(call);
      for (String request : REQUESTS) {
        if (call == Call.WRITE || !request.contains("fast")) {
          HttpResponse<String> answer = post(request);
          assertThat(answer.statusCode()).as(call + " " + request).isIn(429, 503);
          assertThat(answer.headers().firstValue("retry-after")).isPresent();
        }
      }
      failing.set(null);
      for (String request : REQUESTS) {
        await().until(() -> post(request).statusCode() / 100 == 2);
      }
    }
    http.node.assertLedgerIsExact();
  }
}
