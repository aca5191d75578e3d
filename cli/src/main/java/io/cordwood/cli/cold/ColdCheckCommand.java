package io.cordwood.cli.cold;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.bucket.Bucket;
import java.io.IOException;
import java.util.List;

/** {@code cordwood cold check}: tries what a bucket has to do, and says what it does not. */
final class ColdCheckCommand implements Command {
  private final ColdPlace place = new ColdPlace();

  @Override
  public void list(FlagList list) {
    list.description(
        "Try all that Cordwood asks of a place, with objects of its own, which it deletes again, "
            + "and print a line for each: ok, or what was found instead.");
    list.footer("", "Exit code 0 if all is well, 1 if something is not, 2 if it cannot be tried.");
    list.sorted();
    list.addAll(place);
  }

  @Override
  public Integer call() throws IOException {
    try (Bucket bucket = place.open()) {
      List<Trials.Outcome> outcomes = new Trials(place.url(), bucket).run();
      var text = new StringBuilder();
      for (Trials.Outcome each : outcomes) {
        text.append("%-40s %s  (%d ms)%n".formatted(each.name(), each.text(), each.millis()));
      }
      StandardOutput.print(text);
      return outcomes.stream().allMatch(Trials.Outcome::isGood) ? Programs.SUCCESS : Programs.NONE;
    }
  }
}
