package io.cordwood.cli.plan;

import io.cordwood.cli.program.Programs;
import java.io.IOException;
import java.util.Map;

/** A plan that was made within this process, and what is printed of it. */
record PlanRun(Plan plan, CostFlags.Costs costs, String text) {
  static PlanRun of(String... arguments) throws IOException, InterruptedException {
    var command = new PlanCommand();
    Programs.parse(Programs.line("cordwood plan", command), Map.of(), arguments);
    CostFlags.Costs costs = command.costs();
    Plan plan = command.plan(costs);
    return new PlanRun(plan, costs, command.text(plan, costs));
  }
}
