package io.cordwood.dist.server;

import io.cordwood.cli.program.CommandException;
import io.cordwood.common.access.AuditLog;
import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.access.Refusals;
import io.cordwood.common.access.Tokens;
import io.cordwood.common.cluster.ClusterKeys;
import io.cordwood.common.file.FileTrouble;
import io.cordwood.common.http.server.Guard;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The access rules of this node, by its flags.
 *
 * @param tokens empty if nobody is asked for one
 * @param keys none if certificates tell nodes from others, or nothing does
 */
record NodeAccess(
    Optional<Tokens> tokens, NodeKeys keys, Refusals refusals, Guard guard, AuditLog audit) {
  static NodeAccess of(
      ServerFlags flags,
      Optional<Tokens> tokens,
      RunGroup group,
      InstantSource clock,
      MeterRegistry registry) {
    AuditLog audit = group.hold("audit", audit(flags, tokens.isPresent(), clock, registry));
    NodeKeys keys = keys(flags.keys(), tokens.isPresent(), flags.tlsFolder != null, clock);
    var refusals = new Refusals(registry, audit);
    return new NodeAccess(
        tokens, keys, refusals, new Guard(tokens.orElse(null), keys, refusals, audit), audit);
  }

  /** With tokens alone, no other node can be told from a stranger; with TLS, certificates tell. */
  static NodeKeys keys(ClusterKeys keys, boolean hasTokens, boolean hasTls, InstantSource clock) {
    return keys.isEmpty() && hasTokens && !hasTls ? NodeKeys.ofOneNode(clock) : keys.forApi(clock);
  }

  private static AuditLog audit(
      ServerFlags flags, boolean hasTokens, InstantSource clock, MeterRegistry registry) {
    Path named = flags.access.auditFile;
    if (named == null && !hasTokens) {
      return AuditLog.NONE;
    }
    Path file = named == null ? flags.data.resolve("audit.log") : named;
    try {
      return AuditLog.of(file, clock, registry);
    } catch (IOException e) {
      throw new CommandException(
          "--audit-file: cannot write to " + file + ": " + FileTrouble.explain(e), e);
    }
  }
}
