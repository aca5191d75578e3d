package io.cordwood.dist.server;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.dist.page.PageLinks;
import java.util.ArrayList;
import java.util.List;

/** The flags of the page that a node serves. */
final class PageFlags implements Flags {
  List<String> links = new ArrayList<>();

  @Override
  public void list(FlagList list) {
    list.flag("--page-link")
        .label("NAME=ADDRESS")
        .help(
            "Address that the page makes the values of a field lead to, such as"
                + " 'trace_id=https://tempo.example.com/trace/{value}'; may be given several times."
                + " Default: none.")
        .list(String.class, links, value -> links = value);
  }

  /** Refuses what cannot be; without links there is nothing to be loaded for them. */
  void check() {
    if (!links.isEmpty()) {
      var _ = links();
    }
  }

  /** The links of the page. */
  PageLinks links() {
    try {
      return PageLinks.parse(links);
    } catch (IllegalArgumentException e) {
      throw new CommandException("--page-link: " + e.getMessage(), e);
    }
  }
}
