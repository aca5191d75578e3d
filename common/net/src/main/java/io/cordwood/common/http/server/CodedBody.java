package io.cordwood.common.http.server;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A response's body as handlers write it: compressed, if the client takes that and it is worth it.
 * The first write or flush decides. For one thread at a time.
 */
final class CodedBody extends OutputStream {
  private final Response response;
  private final BodyOutput plain;
  private @Nullable OutputStream target;
  private @Nullable Valve valve;

  CodedBody(Response response, BodyOutput plain) {
    this.response = response;
    this.plain = plain;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    target().write(bytes, offset, length);
  }

  @Override
  public void flush() throws IOException {
    target().flush();
  }

  /** Ends the answer. */
  @Override
  public void close() throws IOException {
    if (target == null) {
      plain.close();
    } else {
      OutputStream ending = target;
      target = plain;
      try {
        ending.close();
      } finally {
        release();
      }
    }
  }

  /** Frees what compressing took; none of what was not sent is sent. */
  void discard() {
    if (valve == null || target == null) {
      target = null;
      return;
    }
    valve.shut = true;
    try {
      target.close();
    } catch (IOException e) {
      throw new AssertionError("nothing is written once the valve is shut", e);
    } finally {
      target = null;
      release();
    }
  }

  private void release() {
    if (valve != null) {
      valve = null;
      response.compressed();
    }
  }

  private OutputStream target() throws IOException {
    if (target == null) {
      Optional<ContentCoding> coding = response.chooseCoding();
      target = coding.isPresent() ? compressed(coding.get()) : plain;
    }
    return target;
  }

  private OutputStream compressed(ContentCoding coding) throws IOException {
    valve = new Valve(plain);
    return coding.over(valve);
  }

  /** Stands between a compressor and the body, since closing the one may write to the other. */
  private static final class Valve extends FilterOutputStream {
    private boolean shut;

    Valve(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      if (!shut) {
        out.write(b);
      }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (!shut) {
        out.write(bytes, offset, length);
      }
    }

    @Override
    public void flush() throws IOException {
      if (!shut) {
        out.flush();
      }
    }

    @Override
    public void close() throws IOException {
      if (!shut) {
        out.close();
      }
    }
  }
}
