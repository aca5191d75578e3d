package io.cordwood.cli.watch;

import io.cordwood.cli.client.AskedNodes;
import io.cordwood.common.http.client.JsonClient;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;

/**
 * Shared by all rules of a watch.
 *
 * @param nodes that are asked
 * @param client for webhooks
 * @param places of commands that run at the same time
 */
record Surroundings(AskedNodes nodes, JsonClient client, Semaphore places, InstantSource clock) {}
