package io.cordwood.ingest.fluent;

import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import io.cordwood.ingest.SenderRights;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * How a client shows its token, before its first message.
 *
 * <pre>
 *   node                                                     client
 *    │  ["HELO", {nonce, auth, keepalive}]             ──►    │
 *    │  ◄──  ["PING", host, salt, digest, username, password] │
 *    │  ["PONG", true, "", "cordwood", digest]         ──►    │
 *
 *   digest = hex of SHA-512(salt, host of the sender of the digest, nonce, shared key)
 * </pre>
 *
 * The node keeps only hashes of tokens. So the token is the username, which is sent as it is, and
 * the shared key as well, by which the digests are proven; the password is not looked at.
 */
final class Handshake {
  /** Names the node; clients refuse one with their own name. */
  private static final String SELF = "cordwood";

  private static final int RANDOM_BYTES = 16;
  private static final int FIELDS = 6;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final OutputStream out;
  private final SenderRights rights;
  private final byte[] nonce = random();

  Handshake(OutputStream out, SenderRights rights) {
    this.out = out;
    this.rights = rights;
  }

  private static byte[] random() {
    byte[] bytes = new byte[RANDOM_BYTES];
    RANDOM.nextBytes(bytes);
    return bytes;
  }

  /** Says that a token is needed. */
  void greet() throws IOException {
    var message = new ByteArrayOutputStream();
    array(message, 2);
    text(message, "HELO");
    message.write(0x83);
    text(message, "nonce");
    binary(message, nonce);
    text(message, "auth");
    binary(message, random());
    text(message, "keepalive");
    message.write(0xc3);
    out.write(message.toByteArray());
  }

  /**
   * Reads the client's answer, and answers.
   *
   * @throws RefusedException if it shows no token that may send
   */
  void take(Packed ping) throws IOException, RefusedException {
    try {
      Shown shown = read(ping);
      rights.show(shown.username.isEmpty() ? Optional.empty() : Optional.of(shown.username));
      String expected = digest(shown.salt, shown.host, shown.username);
      if (!MessageDigest.isEqual(ascii(expected), ascii(shown.digest))) {
        throw new RefusedException(
            RejectReason.TOKEN, "expected the same token as username and as shared key");
      }
      pong(true, "", digest(shown.salt, SELF, shown.username));
    } catch (RefusedException e) {
      pong(false, String.valueOf(e.getMessage()), "");
      throw e;
    }
  }

  private static final class Shown {
    private String host = "";
    private byte[] salt = {};
    private String digest = "";
    private String username = "";
  }

  private Shown read(Packed in) throws RefusedException {
    boolean isPing = in.next() == Packed.Kind.ARRAY && in.length() == FIELDS;
    var shown = new Shown();
    if (isPing && in.next().isText() && in.is("PING")) {
      shown.host = text(in);
      var _ = text(in);
      shown.salt = Arrays.copyOfRange(in.array(), in.from(), in.to());
      shown.digest = text(in);
      shown.username = text(in);
      return shown;
    }
    // Words and audit are those of all senders without a token.
    rights.show(Optional.empty());
    throw new RefusedException(RejectReason.TOKEN, "expected PING, found another message");
  }

  private static String text(Packed in) throws RefusedException {
    if (!in.next().isText()) {
      throw new RefusedException(RejectReason.CORRUPT, "PING: expected texts, found another value");
    }
    return in.text();
  }

  private String digest(byte[] salt, String host, String key) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-512");
      digest.update(salt);
      digest.update(host.getBytes(StandardCharsets.UTF_8));
      digest.update(nonce);
      digest.update(key.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("a JDK without SHA-512", e);
    }
  }

  private void pong(boolean isLetIn, String why, String digest) throws IOException {
    var message = new ByteArrayOutputStream();
    array(message, 5);
    text(message, "PONG");
    message.write(isLetIn ? 0xc3 : 0xc2);
    text(message, why);
    text(message, SELF);
    text(message, digest);
    out.write(message.toByteArray());
  }

  private static void array(ByteArrayOutputStream message, int length) {
    message.write(0x90 | length);
  }

  private static void text(ByteArrayOutputStream message, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    message.write(0xda);
    message.write(utf8.length >> Byte.SIZE);
    message.write(utf8.length);
    message.writeBytes(utf8);
  }

  private static void binary(ByteArrayOutputStream message, byte[] bytes) {
    message.write(0xc4);
    message.write(bytes.length);
    message.writeBytes(bytes);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
