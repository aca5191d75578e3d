package io.cordwood.agent.follow;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The files to follow, and how to follow them.
 *
 * @param patterns files, or patterns of files
 * @param labels gives each file's lines theirs
 * @param format of what stands around the text in each line
 * @param fromEnd whether files that are there at the very first start are read from their end
 * @param once whether to end when all is read and acknowledged
 * @param joinWithin for how long a record waits for lines that continue it
 * @param mostHeldBytes of files that are read and not acknowledged
 */
public record FollowOptions(
    List<String> patterns,
    Path checkpoint,
    TopicRule topics,
    LabelRule labels,
    Multiline multiline,
    LineFormat format,
    boolean fromEnd,
    boolean once,
    Duration joinWithin,
    int mostHeldBytes) {
  public FollowOptions {
    patterns = List.copyOf(patterns);
  }
}
