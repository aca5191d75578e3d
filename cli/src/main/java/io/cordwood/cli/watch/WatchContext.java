package io.cordwood.cli.watch;

import io.cordwood.cli.alert.CommandTarget;
import io.cordwood.common.http.client.JsonClient;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;

/**
 * Shared by all rules of a watch.
 *
 * @param node counts their records
 * @param page the address of the page that shows these, without a query
 * @param client for webhooks
 * @param places of commands that run at the same time
 */
public record WatchContext(
    NodeApi node, String page, JsonClient client, Semaphore places, InstantSource clock) {
  /** With as many places as commands may have. */
  public static WatchContext of(NodeApi node, String page, JsonClient client, InstantSource clock) {
    return new WatchContext(
        node, page, client, new Semaphore(CommandTarget.MAX_AT_ONCE, true), clock);
  }
}
