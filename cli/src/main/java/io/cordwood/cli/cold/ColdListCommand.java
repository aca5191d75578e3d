package io.cordwood.cli.cold;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.question.RangeFlags;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.cold.ColdList;
import io.cordwood.common.cold.ColdObject;
import io.cordwood.common.cold.ComparedList;
import io.cordwood.common.text.Sizes;
import java.io.IOException;

/** {@code cordwood cold ls}: which segments are in a bucket. */
final class ColdListCommand implements Command {
  private final ColdPlace place = new ColdPlace();
  private final RangeFlags range = new RangeFlags();

  @Override
  public void list(FlagList list) {
    list.description(
        "List the segments of a place: class, bytes, times of the first record and of the last, "
            + "and name. What is named there as put, but not listed, is told on standard error. "
            + "This makes one request for a thousand of them, and one or more for each day.");
    list.footer(
        "",
        "Exit code 0 if there is one, 1 if there is none, 2 on error, if one is named but not "
            + "listed, or if a manifest does not read.");
    list.sorted();
    list.addAll(place);
    list.addAll(range);
  }

  @Override
  public Integer call() throws IOException {
    try (Bucket bucket = place.open()) {
      ComparedList compared = ColdPlace.list(bucket, range);
      ColdList found = compared.list().decrypted(bucket);
      var text = new StringBuilder();
      for (ColdObject it : found.objects()) {
        text.append(
            "%s  %11d  %s  %s  %s%n"
                .formatted(
                    it.name().retention(),
                    it.bytes(),
                    it.name().range().from().time(),
                    it.name().range().to().time(),
                    it.name()));
      }
      StandardOutput.print(text);
      ColdPlace.complain("ls", compared);
      System.err.printf(
          "cordwood cold ls: %d segments, %s%n",
          found.objects().size(), Sizes.format(found.bytes()));
      if (!compared.lacking().isEmpty() || !compared.unread().isEmpty()) {
        return Programs.ERROR;
      }
      return found.objects().isEmpty() ? Programs.NONE : Programs.SUCCESS;
    }
  }
}
