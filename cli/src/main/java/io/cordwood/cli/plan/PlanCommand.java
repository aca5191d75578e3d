package io.cordwood.cli.plan;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.terminal.StandardOutput;
import java.io.IOException;

/** {@code cordwood plan}: how many nodes a load takes, and what they do under it. */
public final class PlanCommand implements Command {
  private final LoadFlags load = new LoadFlags();
  private final MachineFlags machine = new MachineFlags();
  private final CostFlags costs = new CostFlags();
  private boolean json;

  @Override
  public void list(FlagList list) {
    list.description(
        "Say how many nodes a load takes, what limits them, and what they do under it.",
        "No node is needed. Formulas and their sources: docs/capacity.md.");
    list.footer(
        "",
        "Exit code 0; 1 if the nodes that are given take less than the load; 2 on error.",
        "",
        "  cordwood plan --load 1TB/day --peak 3 --retention 30d --replication-factor 2",
        "  cordwood plan --load 50000lines/s --corpus access.log --cores 8 --disk 4TB",
        "  cordwood plan --measured log1:7650,log2:7650 --stores 2 --ask 'rare 24h 2/s'");
    list.addAll(load);
    list.addAll(machine);
    list.addAll(costs);
    list.flag("--json").help("All figures by name, as one object.").on(value -> json = value);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    CostFlags.Costs known = costs();
    Plan plan = plan(known);
    StandardOutput.print(text(plan, known));
    return plan.exceeded().isEmpty() ? Programs.SUCCESS : Programs.NONE;
  }

  /** Costs; an error of the load is said before anything is measured. */
  CostFlags.Costs costs() throws IOException, InterruptedException {
    if (load.isGiven()) {
      machine.stores(load.load(1, 1));
    } else if (!costs.isMeasured()) {
      throw new CommandException(
          "expected --load, such as 1TB/day, 12MB/s or 50000lines/s, or --measured; found neither");
    }
    return costs.costs();
  }

  Plan plan(CostFlags.Costs known) {
    double lineBytes = known.parameters().of(Parameter.LINE_SIZE);
    double came = known.cluster().map(MeasuredCluster::load).orElse(0.0);
    Load wanted = load.load(lineBytes, came);
    var given = new Plan.Given(machine.ingestNodes(), machine.stores(wanted));
    try {
      return Plan.of(wanted, machine.machine(), known.parameters(), machine.spare(), given);
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  String text(Plan plan, CostFlags.Costs known) {
    return json ? PlanJson.of(plan) : new PlanText(plan, known).toString();
  }
}
