package io.cordwood.cli.alert;

import io.cordwood.common.http.client.JsonClient;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * An address that gets what Alertmanager sends to webhooks.
 *
 * @param page the page of the node that is asked
 */
public record WebhookTarget(JsonClient client, URI address, Duration timeout, String page)
    implements Target {
  @Override
  public String name() {
    return "webhook";
  }

  @Override
  public void send(Rule rule, List<Alert> alerts) throws IOException, InterruptedException {
    client.post(address, AlertJson.webhook(rule, page, alerts), timeout);
  }
}
