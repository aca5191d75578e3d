package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Whichever class of a program is used first, all constants are there. Classes that need each other
 * to begin can leave one of them, or a part of it, null.
 */
final class FirstClassTest {
  private static final List<String> MODULES =
      List.of(
          "common/wire",
          "common/format",
          "common/net",
          "common/cluster",
          "ingest",
          "store",
          "query",
          "forwarder/core",
          "forwarder/agent",
          "cli",
          "dist");

  private final Map<String, byte[]> classFiles = new ConcurrentHashMap<>();

  /** Has classes of its own, which no other one has begun. */
  private final class Fresh extends ClassLoader {
    private final List<Class<?>> own = new ArrayList<>();

    Fresh() {
      super(FirstClassTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        return known != null || !name.startsWith("io.cordwood.")
            ? super.loadClass(name, resolve)
            : define(name);
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      byte[] bytes = classFiles.computeIfAbsent(name, this::read);
      if (bytes.length == 0) {
        throw new ClassNotFoundException(name);
      }
      Class<?> defined = defineClass(name, bytes, 0, bytes.length);
      own.add(defined);
      return defined;
    }

    private byte[] read(String name) {
      try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
        return file == null ? new byte[0] : file.readAllBytes();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void noConstantIsMissingWhicheverClassIsFirst() throws Exception {
    List<String> missing = new ArrayList<>();
    int classes = 0;
    for (String module : MODULES) {
      for (String name : topLevelClasses(module)) {
        for (Class<?> each : withNested(Class.forName(name, false, new Fresh()))) {
          classes++;
          missing.addAll(missingAfter(each.getName()));
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(classes).isGreaterThan(1000);
  }

  private static List<String> topLevelClasses(String module) throws IOException {
    Path sources = Path.of("..", module, "src/main/java");
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .map(file -> sources.relativize(file).toString().replace('/', '.'))
          .filter(name -> name.endsWith(".java") && !name.endsWith("package-info.java"))
          .map(name -> name.substring(0, name.length() - ".java".length()))
          .toList();
    }
  }

  private static List<Class<?>> withNested(Class<?> top) {
    List<Class<?>> all = new ArrayList<>(List.of(top));
    for (Class<?> nested : top.getDeclaredClasses()) {
      all.addAll(withNested(nested));
    }
    return all;
  }

  /** Begins a class, then all that it needed, in the order in which it did. */
  private List<String> missingAfter(String first) throws Exception {
    var fresh = new Fresh();
    Class.forName(first, true, fresh);
    for (Class<?> needed : List.copyOf(fresh.own)) {
      Class.forName(needed.getName(), true, fresh);
    }
    List<String> missing = new ArrayList<>();
    for (Class<?> needed : List.copyOf(fresh.own)) {
      for (Field field : needed.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers()) && Modifier.isFinal(field.getModifiers())) {
          field.setAccessible(true);
          if (isMissing(field.get(null))) {
            missing.add("%s after %s".formatted(field, first));
          }
        }
      }
    }
    return missing;
  }

  private static boolean isMissing(@Nullable Object constant) throws Exception {
    if (constant == null) {
      return true;
    }
    boolean own = constant instanceof Record && constant.getClass().getName().startsWith("io.cord");
    RecordComponent[] parts =
        own ? constant.getClass().getRecordComponents() : new RecordComponent[0];
    for (RecordComponent part : parts) {
      part.getAccessor().setAccessible(true);
      if (part.getAccessor().invoke(constant) == null
          && !part.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
        return true;
      }
    }
    return false;
  }
}
