package io.cordwood.common.access;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * How a node shows to another one, call by call, that it is of the same cluster: a header that only
 * somebody with the cluster's key can make.
 *
 * <pre>
 *   cordwood-node: MILLIS HEX        HMAC-SHA256 of "METHOD TARGET MILLIS", by a key derived from
 *                                    the cluster's; TARGET is the path with its parameters
 * </pre>
 *
 * It holds for {@link #WINDOW} around the time of the node that is called. Clocks may be further
 * apart: a node that refuses says what its time is, and the caller counts with that from then on.
 * Without TLS, whoever reads the wire can send a call again within the window, with another body;
 * that one can read what goes over it anyway. Safe for all threads.
 */
public final class NodeKeys {
  /** The header by which a node signs its calls. */
  public static final String HEADER = "cordwood-node";

  /** The header, in the refusal of a call, with the time of the node that refused. */
  public static final String TIME_HEADER = "cordwood-time";

  /** Nobody is asked for anything, and nobody shows anything. */
  public static final NodeKeys NONE = new NodeKeys(List.of(), InstantSource.system());

  public static final Duration WINDOW = Duration.ofMinutes(5);

  private static final String ALGORITHM = "HmacSHA256";
  private static final int MAX_PEERS = 10_000;

  private final List<SecretKeySpec> keys;
  private final InstantSource clock;
  private final Map<String, Long> aheadMillis = new ConcurrentHashMap<>();

  /**
   * @param secrets that of calls to others first; all are taken from them
   */
  public NodeKeys(List<byte[]> secrets, InstantSource clock) {
    this.keys = secrets.stream().map(secret -> new SecretKeySpec(secret, ALGORITHM)).toList();
    this.clock = clock;
  }

  /** Keys for a node without a cluster, which trusts itself alone. */
  public static NodeKeys ofOneNode(InstantSource clock) {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    return new NodeKeys(List.of(secret), clock);
  }

  public boolean areNone() {
    return keys.isEmpty();
  }

  /** The header's value for a call to a peer; null if none is needed. */
  public @Nullable String sign(String peer, String method, String target) {
    if (keys.isEmpty()) {
      return null;
    }
    long millis = clock.millis() + aheadMillis.getOrDefault(peer, 0L);
    return millis + " " + HexFormat.of().formatHex(mac(keys.getFirst(), method, target, millis));
  }

  /**
   * Learns from a peer's refusal what its time is.
   *
   * @param peerMillis what it said, in {@link #TIME_HEADER}
   * @return whether the call is worth being made again
   */
  public boolean learn(String peer, @Nullable String peerMillis) {
    if (peerMillis == null || !peerMillis.matches("[0-9]{1,15}")) {
      return false;
    }
    if (aheadMillis.size() >= MAX_PEERS) {
      aheadMillis.clear();
    }
    long ahead = Long.parseLong(peerMillis) - clock.millis();
    Long before = aheadMillis.put(peer, ahead);
    return before == null || Math.abs(before - ahead) > WINDOW.toMillis() / 2;
  }

  /** This node's time, as it says it in a refusal. */
  public String time() {
    return Long.toString(clock.millis());
  }

  /** The result of checking a call's header. */
  public enum Check {
    /** Signed by a node of this cluster. */
    GOOD,
    /** Signed by such a node, but long ago or by a clock far from this one's. */
    OTHER_TIME,
    /** Not made by one of the keys. */
    FOREIGN
  }

  /** Looks at a call's header; time is looked at last, so that only nodes are told of it. */
  public Check check(String header, String method, String target) {
    int space = header.indexOf(' ');
    if (space < 1 || space > 15 || !header.substring(0, space).matches("[0-9]+")) {
      return Check.FOREIGN;
    }
    long millis = Long.parseLong(header.substring(0, space));
    byte[] found;
    try {
      found = HexFormat.of().parseHex(header.substring(space + 1));
    } catch (IllegalArgumentException e) {
      return Check.FOREIGN;
    }
    boolean good = false;
    for (SecretKeySpec key : keys) {
      good |= MessageDigest.isEqual(mac(key, method, target, millis), found);
    }
    if (!good) {
      return Check.FOREIGN;
    }
    boolean inTime = Math.abs(millis - clock.millis()) <= WINDOW.toMillis();
    return inTime ? Check.GOOD : Check.OTHER_TIME;
  }

  private static byte[] mac(SecretKeySpec key, String method, String target, long millis) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      String text = method + " " + target + " " + millis;
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException(e); // Every JVM has it, and takes any key.
    }
  }
}
