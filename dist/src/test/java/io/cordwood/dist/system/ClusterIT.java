package io.cordwood.dist.system;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The rounds with processes in network namespaces; skipped where there can be none. */
final class ClusterIT extends ClusterRounds {
  @Override
  Hosts hosts(Path folder) throws IOException {
    Optional<String> whyNot = NamespaceHosts.whyNot(folder);
    whyNot.ifPresent(why -> Skipped.say("clusters in network namespaces", why));
    assumeThat(whyNot).as("clusters: not tested, since there are no network namespaces").isEmpty();
    return NamespaceHosts.in(folder);
  }
}
