package io.cordwood.cli.files;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdIOException;
import io.cordwood.common.http.BlockInput;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipException;

/** The content of a packed file. Its errors say of which file, and where. One thread. */
final class UnpackedInput extends BlockInput {
  private final String name;
  private final InputStream in;
  private long position;

  UnpackedInput(String name, InputStream in) {
    this.name = name;
    this.in = in;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    try {
      int count = in.read(bytes, offset, length);
      position += Math.max(0, count);
      return count;
    } catch (EOFException e) {
      throw cutOff(e);
    } catch (ZipException e) {
      throw damaged(e);
    } catch (ZstdIOException e) {
      throw explained(e);
    }
  }

  private IOException explained(ZstdIOException e) {
    long code = e.getErrorCode();
    if (code == Zstd.errDictionaryWrong()) {
      String command = "zstd -D DICTIONARY -dc FILE";
      return failure("no dictionary", "one; " + Packing.search(command), e);
    } else if (code == Zstd.errFrameParameterWindowTooLarge()) {
      String command = "zstd --long=31 -dc FILE";
      return failure("at most 128 MiB of memory", "more; " + Packing.search(command), e);
    }
    return String.valueOf(e.getMessage()).startsWith("Truncated") ? cutOff(e) : damaged(e);
  }

  private IOException cutOff(IOException e) {
    return failure("more packed lines", "the file's end", e);
  }

  private IOException damaged(IOException e) {
    return failure("packed lines", "damage: " + e.getMessage(), e);
  }

  private IOException failure(String expected, String found, IOException e) {
    return new IOException(
        "%s: expected %s after %d bytes unpacked, found %s"
            .formatted(name, expected, position, found),
        e);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
