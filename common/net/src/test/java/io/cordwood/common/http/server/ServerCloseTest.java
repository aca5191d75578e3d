package io.cordwood.common.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.http.TestServer;
import java.io.IOException;
import java.lang.Thread.UncaughtExceptionHandler;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of an answer that runs when its server is closed. */
final class ServerCloseTest {
  private static final Duration GRACE = Duration.ofMillis(50);

  private final @Nullable UncaughtExceptionHandler usual =
      Thread.getDefaultUncaughtExceptionHandler();
  private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Thread handler = Thread.currentThread();
  private final TestServer server =
      new TestServer(options -> {
        var usual = options.timeouts();
        return options.withTimeouts(usual.idle(), usual.header(), usual.stall(), GRACE);
      });

  ServerCloseTest() {
    Thread.setDefaultUncaughtExceptionHandler((_, e) -> uncaught.add(e));
    server.routes.get(
        "/long",
        (_, response) -> {
          handler = Thread.currentThread();
          started.countDown();
          TestServer.awaitLatch(closed);
          response.body().write("too late".getBytes(StandardCharsets.US_ASCII));
        });
  }

  @AfterEach
  void stop() {
    Thread.setDefaultUncaughtExceptionHandler(usual);
    server.close();
  }

  @Test
  void anAnswerThatOutlivesItsServerEndsTheConnectionAndNothingElse()
      throws IOException, InterruptedException {
    try (Socket client = server.connect()) {
      TestServer.send(client, "GET /long HTTP/1.1\r\nHost: x\r\n\r\n");
      TestServer.awaitLatch(started);
      server.close();
      closed.countDown();
      assertThat(handler.join(TestServer.LONG)).isTrue();
      assertThat(TestServer.readAll(client)).isEmpty();
    }
    assertThat(uncaught).isEmpty();
  }
}
