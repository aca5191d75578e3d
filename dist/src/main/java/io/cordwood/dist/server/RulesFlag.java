package io.cordwood.dist.server;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.common.access.AuditLog;
import io.cordwood.common.http.server.Routes;
import io.cordwood.dist.rules.AlertsRoute;
import io.cordwood.dist.rules.NodeRules;
import io.cordwood.query.api.QueryApi;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** The rules that a node watches itself. */
final class RulesFlag implements Flags {
  private static final String STATE = "rules.state";

  @Nullable Path file;

  @Override
  public void list(FlagList list) {
    list.flag("--rules")
        .label("FILE")
        .help(
            "Rules that this node watches, as 'cordwood watch --rules' has them; read again when it"
                + " changes. Each node with rules sends its alerts. Default: none.")
        .value(Path.class, file, value -> file = value);
  }

  /** Refuses a file with an error. */
  void check() {
    if (file != null) {
      NodeRules.check(file);
    }
  }

  /**
   * Begins to watch them, if there are any.
   *
   * @param page the address of this node's page
   */
  void start(
      Path data,
      QueryApi query,
      URI page,
      AuditLog audit,
      InstantSource clock,
      RunGroup group,
      Routes routes,
      MeterRegistry registry)
      throws IOException {
    AlertsRoute.addTo(
        routes,
        file == null
            ? null
            : group.hold("rules", rules(file, data, query, page, audit, clock, registry)));
  }

  private static NodeRules rules(
      Path file,
      Path data,
      QueryApi query,
      URI page,
      AuditLog audit,
      InstantSource clock,
      MeterRegistry registry) {
    var setting =
        new NodeRules.Setting(
            file,
            data.resolve(STATE),
            query.own(registry),
            page.resolve("/").toString(),
            audit,
            clock);
    try {
      return NodeRules.start(setting, registry);
    } catch (IOException e) {
      throw new CommandException("--rules: " + e.getMessage(), e);
    }
  }
}
