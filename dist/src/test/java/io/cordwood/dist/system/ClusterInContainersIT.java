package io.cordwood.dist.system;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The rounds with containers of the image; skipped where Docker is not, or has no base image. */
final class ClusterInContainersIT extends ClusterRounds {
  @Override
  Hosts hosts(Path folder) throws IOException {
    Optional<String> whyNot = ContainerHosts.whyNot();
    whyNot.ifPresent(why -> Skipped.say("clusters in containers", why));
    assumeThat(whyNot).as("clusters in containers: not tested, since Docker is not here").isEmpty();
    return ContainerHosts.make();
  }
}
