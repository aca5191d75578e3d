package io.cordwood.common.http.server;

import io.netty.util.NetUtil;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names under which a server answers, so that no web page that a person opens can ask it: not
 * by a form or script of another origin, and not by a name of the page's own that is made to lead
 * here. Addresses, names without a dot and names that no public DNS has are answered in any case.
 *
 * @param names in lower case
 * @param origins of web pages that may ask it all the same, as browsers send them
 */
public record Hosts(Set<String> names, Set<String> origins) {
  /** Top-level domains that are nobody's, by RFC 6761, RFC 8375, ICANN's word or custom. */
  private static final List<String> PRIVATE_DOMAINS =
      List.of(".localhost", ".local", ".internal", ".home.arpa", ".test", ".lan");

  public Hosts {
    names = Set.copyOf(names);
    origins = Set.copyOf(origins);
  }

  /** Names, and no pages but the node's own. */
  public Hosts(Set<String> names) {
    this(names, Set.of());
  }

  /** Why a request is refused; empty if it is not. */
  Optional<String> refusal(@Nullable String host, @Nullable String origin) {
    if (host != null && !isAllowed(nameOf(host).toLowerCase(Locale.ROOT))) {
      return Optional.of(
          "Host: expected an address, a name without a dot, or a name of this node, found"
              + " '%s'; tell the node with --allowed-host if it has that name".formatted(host));
    }
    return origin == null || isOf(host, origin) || origins.contains(origin)
        ? Optional.empty()
        : Optional.of(
            "Origin: expected none, or this node's own, found '%s'; tell the node with"
                    .formatted(origin)
                + " --cors-origin if pages from there may ask it");
  }

  private boolean isAllowed(String name) {
    return name.indexOf('.') < 0
        || NetUtil.isValidIpV4Address(name)
        || name.startsWith("[")
        || names.contains(name)
        || PRIVATE_DOMAINS.stream().anyMatch(name::endsWith);
  }

  /** Without the port. */
  private static String nameOf(String host) {
    int colon = host.startsWith("[") ? host.indexOf(':', host.indexOf(']') + 1) : host.indexOf(':');
    return colon < 0 ? host : host.substring(0, colon);
  }

  private static boolean isOf(@Nullable String host, String origin) {
    return origin.equals("http://" + host) || origin.equals("https://" + host);
  }
}
