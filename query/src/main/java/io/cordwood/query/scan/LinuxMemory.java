package io.cordwood.query.scan;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Linux' calls for memory, with the numbers that they have on x86-64 and AArch64. Source: mmap(2),
 * madvise(2). Safe for many threads.
 */
@SuppressWarnings("restricted") // whoever starts a node allows native access
final class LinuxMemory {
  private static final int PROT_READ_WRITE = 1 | 2;
  private static final int MAP_PRIVATE_ANONYMOUS_NORESERVE = 0x02 | 0x20 | 0x4000;
  private static final long MAP_FAILED = -1;
  private static final int MADV_FREE = 8;
  private static final int MADV_NOHUGEPAGE = 15;

  private final MethodHandle mmap =
      function("mmap", ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
  private final MethodHandle munmap = function("munmap", JAVA_INT, ADDRESS, JAVA_LONG);
  private final MethodHandle madvise = function("madvise", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);

  /**
   * @throws UnsupportedOperationException on another system
   */
  LinuxMemory() {
    String system = System.getProperty("os.name", "");
    if (!system.equals("Linux")) {
      throw new UnsupportedOperationException("expected Linux, found " + system);
    }
  }

  /** Bytes that Linux takes at once, at the least; 4,096 on another system. */
  static int pageBytes() {
    if (!System.getProperty("os.name", "").equals("Linux")) {
      return 4096;
    }
    try {
      return (int) function("getpagesize", JAVA_INT).invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException("getpagesize", e);
    }
  }

  private static MethodHandle function(
      String name, MemoryLayout result, MemoryLayout... parameters) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, parameters));
  }

  /**
   * Address space that takes memory where it is written to, in small pages, until the arena is
   * closed.
   *
   * @throws UnsupportedOperationException if Linux does not give it
   */
  MemorySegment map(long bytes, Arena arena) {
    MemorySegment mapped;
    try {
      mapped =
          (MemorySegment)
              mmap.invokeExact(
                  MemorySegment.NULL,
                  bytes,
                  PROT_READ_WRITE,
                  MAP_PRIVATE_ANONYMOUS_NORESERVE,
                  -1,
                  0L);
    } catch (Throwable e) {
      throw new IllegalStateException("mmap", e);
    }
    if (mapped.address() == MAP_FAILED) {
      throw new UnsupportedOperationException(
          "expected address space of %d bytes, found none".formatted(bytes));
    }
    MemorySegment memory = mapped.reinterpret(bytes, arena, this::unmap);
    advise(memory, MADV_NOHUGEPAGE); // Refused only by a Linux that has none.
    return memory;
  }

  private void unmap(MemorySegment mapped) {
    try {
      var _ = (int) munmap.invokeExact(mapped, mapped.byteSize());
    } catch (Throwable e) {
      throw new IllegalStateException("munmap", e);
    }
  }

  /** Lets Linux take the memory when it wants it, unless it is written to before; false if not. */
  boolean lend(MemorySegment memory) {
    return advise(memory, MADV_FREE);
  }

  private boolean advise(MemorySegment memory, int advice) {
    try {
      return (int) madvise.invokeExact(memory, memory.byteSize(), advice) == 0;
    } catch (Throwable e) {
      throw new IllegalStateException("madvise", e);
    }
  }
}
