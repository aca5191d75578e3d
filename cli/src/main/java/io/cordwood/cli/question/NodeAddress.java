package io.cordwood.cli.question;

import io.cordwood.cli.program.CommandException;
import io.cordwood.common.net.HostPort;
import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address at which a node is asked: {@code log1:7650}, with TLS {@code https://log1:7650}, and
 * that of a proxy {@code https://example.com/logs}.
 *
 * @param tls whether the node, or the proxy, speaks it
 * @param path of the proxy, before those of the node; empty for none
 */
public record NodeAddress(HostPort hostPort, boolean tls, String path) {
  private static final int API_PORT = 7650;
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;
  private static final Pattern FORM = Pattern.compile("(?:(https?)://)?([^/]*)(/[^?#\\s]*)?");

  /**
   * Reads one that {@code --node} has. With a path the port is by default that of the scheme, since
   * a node has none.
   *
   * @throws CommandException if it is none
   */
  public static NodeAddress parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new CommandException(
          "--node: expected host:port or a URL without a query, found \"" + text + "\"");
    }
    boolean tls = "https".equals(form.group(1));
    String path = String.valueOf(form.group(3)).replaceFirst("^null$|/+$", "");
    int port = path.isEmpty() ? API_PORT : tls ? HTTPS_PORT : HTTP_PORT;
    try {
      URI.create(path);
      return new NodeAddress(HostPort.parse(form.group(2), port), tls, path);
    } catch (IllegalArgumentException e) {
      throw new CommandException("--node: " + e.getMessage(), e);
    }
  }

  /** The address of something that a node has. */
  public URI uri(String pathAndQuery) {
    return URI.create((tls ? "https://" : "http://") + hostPort + path + pathAndQuery);
  }

  @Override
  public String toString() {
    return hostPort + path;
  }
}
