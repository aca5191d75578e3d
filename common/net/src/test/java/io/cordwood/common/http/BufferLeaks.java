package io.cordwood.common.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Buffers that nobody released before they were collected, as Netty finds them. It has to be there
 * before the first buffer, so it is an extension of all tests.
 */
public final class BufferLeaks implements Extension {
  private static final String ON_PURPOSE = "lost on purpose";
  private static final Queue<String> FOUND = new ConcurrentLinkedQueue<>();

  static {
    System.setProperty("io.netty.customResourceLeakDetector", Detector.class.getName());
  }

  /** Made by Netty, by its name. */
  public static final class Detector<T> extends ResourceLeakDetector<T> {
    public Detector(Class<T> resource, int samplingInterval) {
      super(resource, samplingInterval);
    }

    public Detector(Class<T> resource, int samplingInterval, long maxActive) {
      this(resource, samplingInterval);
    }

    @Override
    protected boolean needReport() {
      return true;
    }

    @Override
    protected void reportTracedLeak(String type, String records) {
      FOUND.add(type + records);
    }

    @Override
    protected void reportUntracedLeak(String type) {
      FOUND.add(type);
    }
  }

  /** Watches each buffer of a class of tests, by {@code @ExtendWith}: none may be lost. */
  public static final class Watch implements BeforeAllCallback, AfterAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
      ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    }

    @Override
    public void afterAll(ExtensionContext context) {
      assertNone();
    }
  }

  private static void assertNone() {
    loseOne();
    await().until(BufferLeaks::isFound);
    List<String> lost = FOUND.stream().filter(each -> !each.contains(ON_PURPOSE)).toList();
    FOUND.clear();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
    assertThat(lost).isEmpty();
  }

  /** Another one each time: Netty reports what looks the same once. */
  private static void loseOne() {
    PooledByteBufAllocator.DEFAULT.buffer(1).touch(ON_PURPOSE + ' ' + System.nanoTime());
  }

  /** What was lost before is found by the same collection, or by one before. */
  private static boolean isFound() {
    System.gc();
    PooledByteBufAllocator.DEFAULT.buffer(1).release(); // reports what the collector has found
    return FOUND.stream().anyMatch(each -> each.contains(ON_PURPOSE));
  }
}
