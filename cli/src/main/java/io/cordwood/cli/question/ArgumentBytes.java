package io.cordwood.cli.question;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The command line as the shell gave it: bytes, of which the JVM makes text, right or wrong. */
final class ArgumentBytes {
  private static final char REPLACEMENT = '\uFFFD';
  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

  private ArgumentBytes() {}

  /** Whether an argument may stand for bytes that are no UTF-8, and so for none that are. */
  static boolean areLost(String argument) {
    return argument.indexOf(REPLACEMENT) >= 0 && !isCommandLineUtf8();
  }

  /** False also where it cannot be seen: who types U+FFFD can write it as an escape. */
  private static boolean isCommandLineUtf8() {
    try {
      byte[] bytes = Files.readAllBytes(COMMAND_LINE);
      var _ = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    } catch (IOException e) {
      return false;
    }
  }
}
