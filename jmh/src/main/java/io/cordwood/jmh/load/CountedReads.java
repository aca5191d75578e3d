package io.cordwood.jmh.load;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ForwardingReadableFile;
import io.cordwood.common.file.ReadableFile;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** The real disk, and the bytes that are read from its files. */
final class CountedReads {
  private final LongAdder bytes = new LongAdder();

  long bytes() {
    return bytes.sum();
  }

  Filesystem filesystem() {
    return (Filesystem)
        Proxy.newProxyInstance(
            Filesystem.class.getClassLoader(),
            new Class<?>[] {Filesystem.class},
            (_, method, arguments) -> {
              try {
                Object result = method.invoke(Filesystem.real(), arguments);
                return result instanceof ReadableFile file ? new Counted(file) : result;
              } catch (InvocationTargetException e) {
                throw Objects.requireNonNullElse(e.getCause(), e);
              }
            });
  }

  private final class Counted extends ForwardingReadableFile {
    Counted(ReadableFile file) {
      super(file);
    }

    @Override
    public void read(ByteBuffer target, long position) throws IOException {
      bytes.add(target.remaining());
      super.read(target, position);
    }
  }
}
