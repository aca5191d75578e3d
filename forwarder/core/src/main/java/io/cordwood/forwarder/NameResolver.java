package io.cordwood.forwarder;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Looks a host name up. May block for long: it is only asked on the sender thread. */
@FunctionalInterface
interface NameResolver {
  InetAddress[] resolve(String host) throws UnknownHostException;
}
