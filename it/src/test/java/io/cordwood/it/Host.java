package io.cordwood.it;

import io.cordwood.common.net.HostPort;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A machine of its own for one node at a time: an address, a disk that outlives the node, and a
 * cable that can be pulled. The node listens on the usual ports.
 */
interface Host {
  String name();

  /** Where the other hosts of the network find it. */
  String address();

  /** Where the test finds one of its ports. */
  HostPort reach(int port);

  /**
   * Makes the files of a folder readable to nodes that are started from now on.
   *
   * @return where these find it
   */
  Path lend(Path folder);

  /** Starts a node; {@link ClusterNode#start} waits until it is ready. */
  void start(String role, String... flags) throws IOException;

  /** {@code kill -9}. */
  void kill() throws IOException;

  /** SIGTERM, and waits for the end. */
  void stop() throws IOException;

  /** Neither runs nor ends any more, as by SIGSTOP. */
  void pause() throws IOException;

  void resume() throws IOException;

  /** Forgets all that is on the disk; only while no node runs. */
  void wipe() throws IOException;

  /** Pulls the cable. */
  void cutOff() throws IOException;

  void reconnect() throws IOException;

  /** From now on what this host sends to another vanishes; the other way all arrives. */
  void dropTo(Host other) throws IOException;

  void deliverTo(Host other) throws IOException;

  /** What the node says about itself, for the message of a test that failed. */
  String says();
}
