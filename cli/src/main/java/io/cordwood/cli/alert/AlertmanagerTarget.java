package io.cordwood.cli.alert;

import io.cordwood.common.http.client.JsonClient;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * An Alertmanager, which takes an alert for resolved that is not sent again in time.
 *
 * @param address that of its API, version 2
 */
public record AlertmanagerTarget(
    JsonClient client, URI address, Duration timeout, InstantSource clock) implements Target {
  private static final Duration LEAST = Duration.ofMinutes(1);

  /** The number of windows without a word after which an alert is over, as Prometheus has it. */
  private static final int MISSED = 4;

  @Override
  public String name() {
    return "alertmanager";
  }

  @Override
  public boolean wantsEachWindow() {
    return true;
  }

  @Override
  public void send(Rule rule, List<Alert> alerts) throws IOException, InterruptedException {
    Duration every = rule.timing().every();
    Duration pause = every.compareTo(LEAST) < 0 ? LEAST : every;
    var until = clock.instant().plus(pause.multipliedBy(MISSED));
    client.post(address, AlertJson.alertmanager(alerts, until), timeout);
  }
}
