package io.cordwood.common.tls;

import java.nio.file.Path;
import java.time.Duration;

/**
 * A node's TLS.
 *
 * @param folder with {@code ca.pem}, {@code node.pem} and {@code node.key}
 * @param handshake longest time from a connection to the end of its handshake
 * @param look how often the files are looked at
 */
public record TlsOptions(Path folder, TlsVersion least, Duration handshake, Duration look) {
  /** The usual. */
  public static TlsOptions in(Path folder, TlsVersion least) {
    return new TlsOptions(folder, least, Duration.ofSeconds(10), Duration.ofSeconds(5));
  }
}
