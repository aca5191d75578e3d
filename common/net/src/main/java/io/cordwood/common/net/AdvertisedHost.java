package io.cordwood.common.net;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The host that others are told to connect to when nobody named one.
 *
 * <p>A node that listens on one address advertises that. One that listens on all advertises its
 * first IPv4 address that is not loopback or link-local, else the loopback address. A guess: a node
 * with several networks should be told.
 */
public final class AdvertisedHost {
  private AdvertisedHost() {}

  /** The host to advertise for a listener on this bind host. No name service is asked for it. */
  public static String of(String bindHost) {
    return isWildcard(bindHost) ? firstUsable().orElse("127.0.0.1") : bindHost;
  }

  private static boolean isWildcard(String host) {
    try {
      return InetAddress.ofLiteral(host).isAnyLocalAddress();
    } catch (IllegalArgumentException e) {
      return false; // a name, which never means all addresses
    }
  }

  private static Optional<String> firstUsable() {
    try {
      return NetworkInterface.networkInterfaces()
          .filter(AdvertisedHost::isUp)
          .flatMap(AdvertisedHost::usableAddresses)
          .map(InetAddress::getHostAddress)
          .findFirst();
    } catch (SocketException e) {
      return Optional.empty(); // no interfaces to be read: only loopback is left
    }
  }

  private static Stream<InetAddress> usableAddresses(NetworkInterface network) {
    return network
        .inetAddresses()
        .filter(
            a -> a instanceof Inet4Address && !a.isLoopbackAddress() && !a.isLinkLocalAddress());
  }

  private static boolean isUp(NetworkInterface network) {
    try {
      return network.isUp();
    } catch (SocketException e) {
      return false; // vanished while being listed
    }
  }
}
