package io.cordwood.common.cluster;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Encrypts and authenticates the frames of one connection, or opens them: AES-256-GCM.
 *
 * <pre>
 *   i32   length of what follows, at most {@link Frame#MAX_BYTES} + 16
 *   n     encrypted body of a frame, as {@link GossipCodec} draws it
 *   16 B  tag
 *
 *   nonce, not sent: u32 0, u64 number of the frame on this connection, from 0
 * </pre>
 *
 * <p><b>Nonces never repeat</b> under one key: the key is derived anew for each connection, from
 * the cluster's key and 32 random bytes of each side (see {@link Introduction}), frames go one way
 * only, and they are counted. Nothing has to be remembered over a restart.
 *
 * <p><b>Replay</b>: a frame that is repeated, left out or put elsewhere on its connection has the
 * wrong number and does not open. One from another connection has another key: the random bytes of
 * the side that accepts make that so even if the whole connection is played again.
 *
 * <p>What it does not give: secrecy of what was recorded before, once the cluster's key is known;
 * and whoever can turn packets around can have a member's messages delivered to another member than
 * the one they were meant for, once.
 *
 * <p>Belongs to the event loop of its connection.
 */
final class FrameSeal {
  static final int TAG_BYTES = 16;

  private static final int NONCE_BYTES = 12;

  private final SecretKey key;
  private long frames;

  FrameSeal(SecretKey key) {
    this.key = key;
  }

  byte[] seal(byte[] body) {
    try {
      return next(Cipher.ENCRYPT_MODE).doFinal(body);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES-256-GCM", e);
    }
  }

  /**
   * @throws GossipFormatException if this is not the next frame that was sealed with the same key
   */
  byte[] open(byte[] sealed) throws GossipFormatException {
    long number = frames;
    try {
      return next(Cipher.DECRYPT_MODE).doFinal(sealed);
    } catch (AEADBadTagException e) {
      throw new GossipFormatException(
          GossipFormatException.Reason.BROKEN_SEAL, "frame " + number + " does not open");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES-256-GCM", e);
    }
  }

  private Cipher next(int mode) throws GeneralSecurityException {
    byte[] nonce = ByteBuffer.allocate(NONCE_BYTES).putInt(0).putLong(frames++).array();
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(8 * TAG_BYTES, nonce));
    return cipher;
  }
}
