package io.cordwood.common.cluster;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The other stores that a store may need, since it may share records with them that have not been
 * found to have their copies without them. Known by a checksum of each node id: a store may seem to
 * be one of them that is not, but never the other way round.
 *
 * @param known false if it may be any store; there are no checksums then
 * @param checksums in ascending order
 */
public record Partners(boolean known, List<Integer> checksums) {
  /** More are not told. */
  public static final int MAX = 64;

  /** Any store may be one of them. */
  public static final Partners UNKNOWN = new Partners(false, List.of());

  public Partners {
    checksums = List.copyOf(checksums);
  }

  /** These nodes. */
  public static Partners of(Collection<String> nodeIds) {
    return nodeIds.size() > MAX
        ? UNKNOWN
        : new Partners(true, nodeIds.stream().map(Partners::checksum).sorted().toList());
  }

  /** Whether a store may be one of them. */
  public boolean mayHave(String nodeId) {
    return !known || checksums.contains(checksum(nodeId));
  }

  private static int checksum(String nodeId) {
    var checksum = new CRC32C();
    checksum.update(nodeId.getBytes(StandardCharsets.US_ASCII));
    return (int) checksum.getValue();
  }
}
