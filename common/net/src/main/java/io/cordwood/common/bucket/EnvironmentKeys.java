package io.cordwood.common.bucket;

import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.tls.ClientTls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * The usual order: the variables {@code AWS_ACCESS_KEY_ID} and {@code AWS_SECRET_ACCESS_KEY}, then
 * a role by a token in a file, then a file, then the container or the machine that this runs in.
 */
final class EnvironmentKeys {
  private static final String NO_METADATA = "AWS_EC2_METADATA_DISABLED";

  private EnvironmentKeys() {}

  /**
   * Chooses by what there is now.
   *
   * @param file that was named; empty for {@code AWS_SHARED_CREDENTIALS_FILE}, or {@code
   *     ~/.aws/credentials}
   * @param region whose STS is asked
   * @param tls for an STS that the variables name; empty for whom the JVM trusts
   */
  static AccessKeys of(
      Map<String, String> variables, Optional<Path> file, String region, Optional<ClientTls> tls) {
    String profile = variables.getOrDefault("AWS_PROFILE", "default");
    if (file.isPresent()) {
      return new KeyFile(file.get(), profile);
    }
    String id = variables.get("AWS_ACCESS_KEY_ID");
    String secret = variables.get("AWS_SECRET_ACCESS_KEY");
    if (id != null && secret != null) {
      var token = Optional.ofNullable(variables.get("AWS_SESSION_TOKEN"));
      return new Fixed(new AccessKey(id.strip(), secret.strip(), token, Optional.empty()));
    }
    if (WebIdentityKeys.isIn(variables)) {
      return renewed(new WebIdentityKeys(variables, region, tls));
    }
    Path usual = usualFile(variables);
    if (Files.exists(usual)) {
      return new KeyFile(usual, profile);
    }
    if (ContainerKeys.isIn(variables)) {
      return renewed(new ContainerKeys(variables));
    }
    return variables.getOrDefault(NO_METADATA, "").equalsIgnoreCase("true")
        ? new None(usual)
        : renewed(new InstanceKeys(InstanceKeys.address(variables), usual));
  }

  private static AccessKeys renewed(RenewedKeys.Source source) {
    return new RenewedKeys(source, InstantSource.system());
  }

  private static Path usualFile(Map<String, String> variables) {
    String named = variables.get("AWS_SHARED_CREDENTIALS_FILE");
    return named != null
        ? Path.of(named)
        : Path.of(variables.getOrDefault("HOME", "."), ".aws", "credentials");
  }

  /** Given once. */
  record Fixed(AccessKey current) implements AccessKeys {
    @Override
    public void renew() {
      // They are what the environment says, as long as this process lives.
    }
  }

  /** There are none. */
  private record None(Path usual) implements AccessKeys {
    @Override
    public AccessKey current() throws IOException {
      throw new BucketException(
          Kind.DENIED,
          "expected credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or in "
              + usual
              + ", found none");
    }

    @Override
    public void renew() {
      // There is nowhere else to look.
    }
  }
}
