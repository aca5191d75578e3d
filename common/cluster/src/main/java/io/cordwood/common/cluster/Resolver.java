package io.cordwood.common.cluster;

import io.cordwood.common.net.HostPort;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Finds where a host is now; asked anew for every connection, and may block. */
interface Resolver {
  /**
   * One of its addresses.
   *
   * @throws UnknownHostException if the name is not known, for now
   */
  InetSocketAddress resolve(HostPort address) throws UnknownHostException;
}
