package io.cordwood.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The rounds with processes in network namespaces, where {@link ClusterInContainersIT} cannot do
 * them, or with {@code -Dcordwood.it.namespaces=true}; skipped where there can be none.
 */
final class ClusterIT extends ClusterRounds {
  @Override
  Hosts hosts(Path folder) throws IOException {
    assumeTrue(
        ContainerHosts.whyNot().isPresent() || Boolean.getBoolean("cordwood.it.namespaces"),
        "the rounds are done in containers");
    return NamespaceHosts.orSkip("a cluster through thick and thin", folder);
  }
}
