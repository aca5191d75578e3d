package io.cordwood.cli.watch;

import io.cordwood.cli.alert.AlertmanagerTarget;
import io.cordwood.cli.alert.CommandTarget;
import io.cordwood.cli.alert.Target;
import io.cordwood.cli.alert.WebhookTarget;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagBounds;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whom alerts are sent to. */
final class TargetFlags implements Flags {
  private static final String API = "/api/v2/alerts";
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofHours(1);

  private @Nullable String webhook;
  private @Nullable String alertmanager;
  private @Nullable String command;
  private Duration timeout = Duration.ofSeconds(30);

  @Override
  public void list(FlagList list) {
    list.flag("--webhook")
        .label("URL")
        .help("Post what fires and what is resolved there, as Alertmanager does to webhooks.")
        .value(String.class, webhook, value -> webhook = value);
    list.flag("--alertmanager")
        .label("URL")
        .help("Send it to an Alertmanager, such as http://alerts:9093.")
        .value(String.class, alertmanager, value -> alertmanager = value);
    list.flag("--exec")
        .label("COMMAND")
        .help(
            "Run a shell's command, which gets what a webhook gets on standard input, and"
                + " ALERT_NAME, ALERT_STATUS, ALERT_COUNT, ALERT_SUMMARY and ALERT_URL.")
        .value(String.class, command, value -> command = value);
    list.flag("--timeout")
        .label("DURATION")
        .help("How long a webhook or command may take; then it is tried again. Default: 30s.")
        .duration(timeout, value -> timeout = value);
  }

  List<Target> targets(WatchContext around) {
    FlagBounds.duration("--timeout", SHORTEST, LONGEST, timeout);
    List<Target> targets = new ArrayList<>();
    String page = around.page();
    if (webhook != null) {
      URI address = address("--webhook", webhook);
      targets.add(new WebhookTarget(around.client(), address, timeout, page));
    }
    if (alertmanager != null) {
      URI base = address("--alertmanager", alertmanager);
      String path = base.getPath().replaceFirst("/+$", "");
      URI address = path.endsWith(API) ? base : base.resolve(path + API);
      targets.add(new AlertmanagerTarget(around.client(), address, timeout, around.clock()));
    }
    if (command != null) {
      targets.add(new CommandTarget(command, timeout, page, around.places()));
    }
    return targets;
  }

  /** An address; a message shows nothing of it, since it may hold a secret. */
  private static URI address(String flag, String text) {
    try {
      URI address = new URI(text);
      boolean isHttp = List.of("http", "https").contains(String.valueOf(address.getScheme()));
      if (isHttp && address.getHost() != null && address.getUserInfo() == null) {
        return address;
      }
    } catch (URISyntaxException e) {
      // As any other that is none.
    }
    throw new CommandException(
        flag
            + ": expected a URL such as http://host:9093/path, without a user, found another text");
  }
}
