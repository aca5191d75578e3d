package io.cordwood.dist.server;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.common.access.Tokens;
import io.cordwood.common.file.FileTrouble;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The flags that say who may use a node. */
final class AccessFlags implements Flags {
  @Nullable Path tokens;
  boolean insecure;
  @Nullable Path auditFile;

  @Override
  public void list(FlagList list) {
    list.flag("--tokens")
        .label("FILE")
        .help(
            "File of tokens, as 'cordwood token add' makes it, read again when it changes: whoever"
                + " sends or asks has to have one. The same on all nodes. Default: no token is"
                + " asked for.")
        .value(Path.class, tokens, value -> tokens = value);
    list.flag("--insecure")
        .help(
            "Let --bind be an address that other machines reach without --tls-dir or --tokens. "
                + "Without tokens whoever reaches the ports may read and write all; without TLS "
                + "whoever sees the traffic can read tokens and records.")
        .on(value -> insecure = value);
    list.flag("--audit-file")
        .label("FILE")
        .help(
            "File with a line for each query and each refusal; it is rotated at 64MiB, four old"
                + " ones stay. Default: audit.log in --data with --tokens, else none.")
        .value(Path.class, auditFile, value -> auditFile = value);
  }

  /**
   * The tokens that are asked for; empty if none is.
   *
   * @throws CommandException if the file cannot be used
   */
  Optional<Tokens> tokens(InstantSource clock, MeterRegistry registry) {
    try {
      return tokens == null ? Optional.empty() : Optional.of(Tokens.of(tokens, clock, registry));
    } catch (IOException e) {
      throw new CommandException("--tokens: " + FileTrouble.explain(e), e);
    }
  }

  /**
   * Refuses to be open to other machines without being told so.
   *
   * @param hasTls whether all ports speak TLS
   */
  void check(String bind, boolean hasTls) {
    if (insecure || (tokens != null && hasTls) || isLoopback(bind)) {
      return;
    }
    String lacking = tokens == null ? "--tokens" : "--tls-dir";
    throw new CommandException(
        ("--bind: %s can be reached from other machines, and there is no %s: expected --tls-dir"
                + " and --tokens, or --insecure to do without one or both on a network that you"
                + " trust, or --bind 127.0.0.1")
            .formatted(bind, lacking));
  }

  /** A name that does not resolve is no loopback; listening says what is wrong with it. */
  private static boolean isLoopback(String bind) {
    try {
      return InetAddress.getByName(bind).isLoopbackAddress();
    } catch (IOException e) {
      return false;
    }
  }
}
