package io.cordwood.agent.follow;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The files to follow, and how to follow them.
 *
 * @param patterns files, or patterns of files
 * @param labels gives each file's lines theirs
 * @param reading makes records of their bytes
 * @param once whether to end when all is read and acknowledged
 * @param mostHeldBytes of files that are read and not acknowledged
 */
public record FollowOptions(
    List<String> patterns,
    Path checkpoint,
    TopicRule topics,
    LabelRule labels,
    Reading reading,
    boolean once,
    int mostHeldBytes) {
  public FollowOptions {
    patterns = List.copyOf(patterns);
  }

  /**
   * How records are made of files.
   *
   * @param format of what stands around the text in each line
   * @param fromEnd whether files that are there at the very first start are read from their end
   * @param joinWithin for how long a record waits for lines that continue it
   */
  public record Reading(
      Multiline multiline, LineFormat format, boolean fromEnd, Duration joinWithin) {
    /** For how long a record waits unless somebody says otherwise. */
    public static final Duration JOIN_WITHIN = Duration.ofSeconds(1);

    /** All of files whose format shows. */
    public static Reading of(Multiline multiline) {
      return new Reading(multiline, LineFormat.auto, false, JOIN_WITHIN);
    }
  }
}
