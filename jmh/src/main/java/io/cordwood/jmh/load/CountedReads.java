package io.cordwood.jmh.load;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
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

  private final class Counted implements ReadableFile {
    private final ReadableFile file;

    Counted(ReadableFile file) {
      this.file = file;
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void read(ByteBuffer target, long position) throws IOException {
      bytes.add(target.remaining());
      file.read(target, position);
    }

    @Override
    public FileChannel channel() {
      return file.channel();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
