package io.cordwood.it;

import java.io.IOException;
import java.nio.file.Path;

/** The rounds with containers of the image; skipped where Docker is not, or has no base image. */
final class ClusterInContainersIT extends ClusterRounds {
  @Override
  Hosts hosts(Path folder) throws IOException {
    ContainerHosts.skipUnlessPossible("clusters in containers");
    return ContainerHosts.make();
  }
}
