package io.cordwood.cli.terminal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Makes bytes from anywhere harmless for a terminal: control characters but tab and line feed are
 * shown instead of sent, {@code ESC} as {@code ^[}, those from 80 to 9F as {@code <9B>}. Text in
 * UTF-8 passes. One thread.
 */
public final class TerminalSafeOutput extends OutputStream {
  private static final int ESCAPE_FROM = 0x80;
  private static final int ESCAPE_TO = 0x9F;
  private static final int C2 = 0xC2;
  private static final int DELETE = 0x7F;

  private final OutputStream out;
  private final ByteArrayOutputStream safe = new ByteArrayOutputStream();

  /** Bytes of the present UTF-8 character that are still to come. */
  private int following;

  /** Whether C2 was held back, which begins both controls and harmless characters. */
  private boolean holding;

  public TerminalSafeOutput(OutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    safe.reset();
    for (int i = offset; i < offset + length; i++) {
      take(bytes[i] & 0xFF);
    }
    out.write(safe.toByteArray());
  }

  private void take(int b) {
    if (holding) {
      takeBehindC2(b);
    } else if (following > 0 && isFollowing(b)) {
      following--;
      safe.write(b);
    } else {
      takeFirst(b);
    }
  }

  private void takeBehindC2(int b) {
    holding = false;
    if (isHighControl(b)) {
      show(b);
      return;
    }
    safe.write(C2);
    if (isFollowing(b)) {
      safe.write(b);
    } else {
      takeFirst(b);
    }
  }

  private void takeFirst(int b) {
    following = 0;
    if (b == C2) {
      holding = true;
    } else if (isHighControl(b)) {
      show(b);
    } else if ((b < ' ' && b != '\t' && b != '\n') || b == DELETE) {
      safe.write('^');
      safe.write(b ^ 0x40);
    } else {
      following = b >= 0xF0 ? 3 : b >= 0xE0 ? 2 : b > C2 ? 1 : 0;
      safe.write(b);
    }
  }

  private void show(int b) {
    safe.writeBytes("<%02X>".formatted(b).getBytes(StandardCharsets.US_ASCII));
  }

  private static boolean isHighControl(int b) {
    return b >= ESCAPE_FROM && b <= ESCAPE_TO;
  }

  private static boolean isFollowing(int b) {
    return (b & 0xC0) == 0x80;
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }

  /** Writes what was held back, before somebody writes past this one. */
  public void release() throws IOException {
    if (holding) {
      holding = false;
      out.write(C2);
    }
    following = 0;
  }

  @Override
  public void close() throws IOException {
    release();
    out.close();
  }
}
