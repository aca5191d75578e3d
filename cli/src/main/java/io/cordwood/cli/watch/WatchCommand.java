package io.cordwood.cli.watch;

import io.cordwood.cli.alert.Watch;
import io.cordwood.cli.alert.WatchCounters;
import io.cordwood.cli.alert.WatchSetting;
import io.cordwood.cli.client.AskedNodes;
import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.Exclusion;
import io.cordwood.cli.program.Failures;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.program.StatsFile;
import io.cordwood.common.http.client.JsonClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code cordwood watch}: alerts on the number of records in a node. */
public final class WatchCommand implements Command {
  private static final String NAME = "cordwood watch";
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration ONCE = Duration.ofMinutes(5);

  private List<String> arguments = new ArrayList<>();
  private final RuleFlags rule = new RuleFlags();
  private final AskedNodes nodes = new AskedNodes();
  private @Nullable Path rules;
  private boolean check;
  private boolean once;
  private @Nullable Path state;
  private @Nullable Path statsFile;
  private final InstantSource clock;

  public WatchCommand() {
    this(InstantSource.system());
  }

  /**
   * @param clock by which windows are due
   */
  WatchCommand(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public void list(FlagList list) {
    list.synopsis(
        "cordwood watch [OPTIONS] NAME [PATTERN]   one rule",
        "       cordwood watch [OPTIONS] --rules FILE");
    list.description(
        "Count records again and again, and send an alert when there are too many or too few.");
    list.footer(
        "",
        "A FILE of rules has lines 'flag = value', such as 'above = 10', after a line '[NAME]' for"
            + " each",
        "rule; those before the first are for all rules. 'pattern = TEXT' is the PATTERN.",
        "",
        "Exit code with --once: 0 if no alert fires, 1 if one does, 2 on error or if a rule cannot"
            + " be",
        "decided.",
        "",
        "  cordwood watch errors --where level=error --above 10 --webhook http://chat:8080/hook",
        "  cordwood watch silence --topic pay --absent --every 5m --exec 'mail -s \"$ALERT_NAME\""
            + " ops'",
        "  cordwood watch --rules alerts.conf --state alerts.state");
    list.argument("0..*", "0..*")
        .label("NAME PATTERN")
        .help(
            "The rule's name, which is the label alertname; and what to look for: a text, case and"
                + " all, unless -E or -i. Without PATTERN every record counts.")
        .list(String.class, arguments, value -> arguments = value);
    list.addAll(rule);
    list.addAll(nodes);
    list.flag("--rules")
        .label("FILE")
        .help("Watch the rules of a file.")
        .value(Path.class, rules, value -> rules = value);
    list.flag("--check").help("Only check the rules.").on(value -> check = value);
    list.flag("--once")
        .help("Count one window of each rule, send what has changed, and end.")
        .on(value -> once = value);
    list.flag("--state")
        .label("FILE")
        .help("Keep what fires in this file, over a restart. Default: in memory.")
        .value(Path.class, state, value -> state = value);
    list.flag("--stats-file")
        .label("FILE")
        .help("Write figures as JSON to this file, each second.")
        .value(Path.class, statsFile, value -> statsFile = value);
  }

  @Override
  public List<Exclusion> exclusions() {
    List<String> ofRules =
        FlagList.of(new RuleCommand()).options().stream()
            .flatMap(option -> Stream.of(option.names()))
            .toList();
    return List.of(new Exclusion(List.of("--rules"), ofRules, "the file says that of each rule"));
  }

  @Override
  public Integer call() throws Exception {
    try (var client = new JsonClient()) {
      List<Watch.Entry> entries = entries(surroundings(client));
      if (check || !once) {
        sayIfAllCount();
      }
      if (check) {
        System.out.println(
            entries.size() == 1
                ? "1 rule is well-formed"
                : entries.size() + " rules are well-formed");
        return Programs.SUCCESS;
      }
      var setting = new WatchSetting(clock, WatchCommand::say, WatchCommand::say, FIRST_PAUSE);
      var counters = new WatchCounters();
      Watch watch = Watch.open(entries, Optional.ofNullable(state), counters, setting);
      try (var _ = StatsFile.start(statsFile, counters::json, WatchCommand::say)) {
        return once ? once(watch) : run(watch, entries);
      }
    }
  }

  private WatchContext surroundings(JsonClient client) {
    String page = nodes.addresses().getFirst().uri("/").toString();
    return WatchContext.of(new HttpNodeApi(nodes), page, client, clock);
  }

  private List<Watch.Entry> entries(WatchContext around) throws IOException {
    if (rules != null) {
      if (!arguments.isEmpty()) {
        throw new CommandException(
            "expected no NAME with --rules, found \"" + arguments.getFirst() + "\"");
      }
      return RulesFile.read(rules, around);
    }
    if (arguments.isEmpty()) {
      throw new CommandException("expected the NAME of a rule, or --rules FILE, found none");
    }
    List<String> pattern = arguments.subList(1, arguments.size());
    return List.of(rule.entry(arguments.getFirst(), pattern, around));
  }

  /** Whoever gives a text alone, as to grep, has given a name. */
  private void sayIfAllCount() {
    if (arguments.size() == 1 && rule.countsEverything()) {
      say(
          "%s: counts every record; what to look for comes after the name: NAME PATTERN"
              .formatted(arguments.getFirst()));
    }
  }

  private int run(Watch watch, List<Watch.Entry> entries) throws Exception {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(watch), "stop"));
    say(
        "%d rules, asking %s"
            .formatted(
                entries.size(),
                String.join(", ", nodes.addresses().stream().map(Object::toString).toList())));
    watch.run();
    return Programs.SUCCESS;
  }

  private static void close(Watch watch) {
    try {
      watch.close();
    } catch (IOException e) {
      say("--state: " + Failures.explain(e));
    }
  }

  private static int once(Watch watch) throws Exception {
    try (watch) {
      boolean sent = watch.once(ONCE);
      return !sent || watch.isUndecided()
          ? Programs.ERROR
          : watch.isFiring() ? Programs.NONE : Programs.SUCCESS;
    }
  }

  private static void say(String line) {
    System.err.println(NAME + ": " + line);
  }
}
