package io.cordwood.dist.system;

import java.io.IOException;
import java.nio.file.Path;

/** The rounds with processes in network namespaces; skipped where there can be none. */
final class ClusterIT extends ClusterRounds {
  @Override
  Hosts hosts(Path folder) throws IOException {
    return NamespaceHosts.orSkip("a cluster through thick and thin", folder);
  }
}
