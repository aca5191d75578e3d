package io.cordwood.it;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Packets that a network namespace sends and that never arrive. The other way all arrives.
 *
 * @param ip the command {@code ip} within that namespace
 * @param device through which it reaches the others
 */
record LostPackets(List<String> ip, String device) {
  /** A MAC address that nobody has: what is sent there vanishes, and the sender is told nothing. */
  private static final String NOBODY = "02:00:00:00:00:01";

  void dropTo(String address) throws IOException {
    neighbour("replace", address, "lladdr", NOBODY, "dev", device, "nud", "permanent");
  }

  void deliverTo(String address) throws IOException {
    neighbour("delete", address, "dev", device);
  }

  private void neighbour(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(ip);
    command.add("neighbour");
    command.addAll(List.of(arguments));
    Tool.run(command.toArray(String[]::new));
  }
}
