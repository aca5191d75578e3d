package io.cordwood.dist.question;

import io.cordwood.common.net.HostPort;
import io.cordwood.dist.program.CommandException;
import java.net.URI;

/**
 * The address at which a node is asked: {@code log1:7650}, or with TLS {@code https://log1:7650}.
 *
 * @param tls whether the node speaks it
 */
public record NodeAddress(HostPort hostPort, boolean tls) {
  private static final int API_PORT = 7650;
  private static final String HTTPS = "https://";

  /**
   * Reads one that {@code --node} has.
   *
   * @throws CommandException if it is none
   */
  public static NodeAddress parse(String text) {
    boolean tls = text.startsWith(HTTPS);
    String rest = tls ? text.substring(HTTPS.length()) : text;
    try {
      return new NodeAddress(
          HostPort.parse(
              tls && rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest, API_PORT),
          tls);
    } catch (IllegalArgumentException e) {
      throw new CommandException("--node: " + e.getMessage(), e);
    }
  }

  /** The address of something that a node has. */
  public URI uri(String pathAndQuery) {
    return URI.create((tls ? HTTPS : "http://") + hostPort + pathAndQuery);
  }

  @Override
  public String toString() {
    return hostPort.toString();
  }
}
