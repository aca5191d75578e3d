package io.cordwood.common.http.client;

import com.sun.management.OperatingSystemMXBean;
import io.cordwood.common.access.AuditLog;
import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.http.TestServer;
import io.cordwood.common.http.server.Guard;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How long a call takes, and how much CPU it costs: answers of some hundred bytes and of 8 MiB, in
 * two parts and trailers as those of queries are, from a server of the same process, one after the
 * other. Run by hand: {@code java -Drounds=6 -cp … io.cordwood.common.http.client.CallSpeed}.
 */
final class CallSpeed {
  private static final int ROUNDS = Integer.getInteger("rounds", 6);
  private static final int CALLS = 2000;
  private static final NodeKeys KEYS = new NodeKeys(List.of(new byte[32]), InstantSource.system());

  private CallSpeed() {}

  public static void main(String[] args) throws IOException {
    try (var server = new TestServer()) {
      server.routes.guardedBy(new Guard(null, KEYS, null, AuditLog.NONE));
      add(server, "/small", 200);
      add(server, "/large", 8 << 20);
      try (var client =
          new PeerClient(
              TestServer.LONG, TestServer.LONG, new PeerCredentials(KEYS, Optional.empty()))) {
        for (int round = 0; round < ROUNDS; round++) {
          measure("small", client, server.uri("/small"), CALLS);
          measure("large", client, server.uri("/large"), CALLS / 50);
        }
      }
    }
  }

  private static void add(TestServer server, String path, int bytes) {
    server.routes.get(
        path,
        (_, response) -> {
          OutputStream out = response.body();
          out.write(new byte[100]);
          out.flush();
          out.write(new byte[bytes]);
          response.trailer("cordwood-verdict", "complete");
          out.close();
        });
  }

  private static void measure(String kind, PeerClient client, URI uri, int calls)
      throws IOException {
    OperatingSystemMXBean process =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cpu = process.getProcessCpuTime();
    long[] nanos = new long[calls];
    for (int i = 0; i < calls; i++) {
      long start = System.nanoTime();
      try (PeerResponse response = client.get(uri, TestServer.LONG)) {
        response.body().transferTo(OutputStream.nullOutputStream());
      }
      nanos[i] = System.nanoTime() - start;
    }
    double cpuMicros = (process.getProcessCpuTime() - cpu) / 1e3 / calls;
    Arrays.sort(nanos);
    System.out.printf(
        "%s: median %.0f us, 90 %% %.0f us, CPU %.0f us%n",
        kind, nanos[calls / 2] / 1e3, nanos[calls * 9 / 10] / 1e3, cpuMicros);
  }
}
