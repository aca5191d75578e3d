package io.cordwood.cli.search;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.question.NodeAddress;
import io.cordwood.cli.question.TlsFlags;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.CliClient;
import io.cordwood.common.http.client.CliClient.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** {@code cordwood health}: the probe of one node, for images and supervisors. */
public final class HealthCommand implements Command {
  private static final int OK = 200;
  private static final int MAX_ANSWER = 4096;
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  private String node = "localhost";

  private TlsFlags tls = new TlsFlags();

  private boolean ready;

  @Override
  public void list(FlagList list) {
    list.description("Ask a node whether it is alive, or ready for work.");
    list.footer(
        "",
        "Exit code 0 if it is, 1 if it is not or does not answer within 3 s, 2 on a wrong flag.",
        "",
        "  cordwood health                    restart the node when this fails",
        "  cordwood health --ready            send records elsewhere while this fails");
    list.flag("--node")
        .label("HOST:PORT")
        .help(
            "API port of the node, with https:// before it if it speaks TLS. "
                + "Default: localhost:7650.")
        .value(String.class, node, value -> node = value);
    list.addAll(tls);
    list.flag("--ready")
        .help("Whether it works: not while it starts or stops, nor with a disk that fails.")
        .on(value -> ready = value);
  }

  @Override
  public Integer call() {
    URI probe = NodeAddress.parse(node).uri(ready ? ApiPaths.READY : ApiPaths.HEALTHY);
    try (Answer answer = new CliClient(TIMEOUT, TIMEOUT).withTls(tls.tls()).get(probe);
        InputStream body = answer.body()) {
      System.out.println(new String(body.readNBytes(MAX_ANSWER), StandardCharsets.UTF_8).strip());
      return answer.status() == OK ? Programs.SUCCESS : Programs.NONE;
    } catch (IOException e) {
      System.err.println("cordwood health: " + e.getMessage());
      return Programs.NONE;
    }
  }
}
