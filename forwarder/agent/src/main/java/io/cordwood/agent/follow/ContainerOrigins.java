package io.cordwood.agent.follow;

import io.cordwood.common.wire.Origin;
import io.cordwood.forwarder.PreparedBatch;
import java.util.Arrays;

/** The origins of a container's streams: that of its file, with the stream as a label. */
final class ContainerOrigins {
  private static final String LABEL = "stream";

  private ContainerOrigins() {}

  /** By the numbers of {@link ContainerLine#STREAMS}. Cheap to make, and large for all files. */
  static Origin[] of(Origin file) {
    Origin[] origins = new Origin[ContainerLine.STREAMS.length];
    for (int i = 0; i < origins.length; i++) {
      origins[i] = i == 0 ? file : of(file, ContainerLine.STREAMS[i]);
    }
    return origins;
  }

  private static Origin of(Origin file, String stream) {
    try {
      return new Origin(file.topic(), file.labels().with(LABEL, stream));
    } catch (IllegalArgumentException e) {
      return file; // there are as many labels as there may be
    }
  }

  /** The most bytes before the records of a batch. */
  static int payloadAt(Origin[] origins) {
    return Arrays.stream(beforeRecords(origins)).max().orElseThrow();
  }

  /** The bytes before the records of a batch, of each of the origins. */
  static int[] beforeRecords(Origin[] origins) {
    return Arrays.stream(origins).mapToInt(PreparedBatch::payloadAt).toArray();
  }
}
