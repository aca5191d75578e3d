package io.cordwood.cli.search;

import io.cordwood.cli.client.NodeTail;
import io.cordwood.cli.question.QueryString;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.query.match.PatternSpec;
import java.io.IOException;

/** A {@code grep --follow}: all that matches, then new records, as tail does. */
record FollowedSearch(GrepFlags flags, PatternSpec pattern) {
  /** The exit code. */
  int run() throws IOException, InterruptedException {
    var query = new QueryString();
    flags.patterns.addTo(query, pattern);
    flags.ofNodes.topics().addTo(query);
    return new Following(
            GrepFlags.NAME, flags.nodes, flags.form, flags.ofNodes.zone(), flags.patterns.extract())
        .run(query, begin(), flags.printer(pattern, new StandardOutput()));
  }

  private NodeTail.Begin begin() {
    Long last = flags.bound.last();
    return last == null
        ? NodeTail.Begin.behind(flags.ofNodes.positionToFollow())
        : NodeTail.Begin.last(last);
  }
}
