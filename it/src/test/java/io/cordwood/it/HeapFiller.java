package io.cordwood.it;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/** An agent within a JVM: takes all memory once a file is there. */
public final class HeapFiller {
  private static final Duration LOOK = Duration.ofMillis(10);
  private static final int PIECE = 1 << 20;

  private HeapFiller() {}

  /**
   * Called by the JVM before its main method.
   *
   * @param sign path of the file that is waited for
   */
  public static void premain(String sign) {
    Thread.ofPlatform().daemon().name("heap filler").start(() -> fill(Path.of(sign)));
  }

  private static void fill(Path sign) {
    while (!Files.exists(sign)) {
      LockSupport.parkNanos(LOOK.toNanos());
    }
    List<byte[]> all = new ArrayList<>();
    while (all.size() < Integer.MAX_VALUE) {
      all.add(new byte[PIECE]);
    }
  }

  /** Makes a jar of it. */
  static void writeJar(Path jar) throws IOException {
    String name = HeapFiller.class.getName();
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(new Attributes.Name("Premain-Class"), name);
    String file = name.replace('.', '/') + ".class";
    try (OutputStream out = Files.newOutputStream(jar);
        var entries = new JarOutputStream(out, manifest);
        InputStream code = HeapFiller.class.getResourceAsStream("/" + file)) {
      entries.putNextEntry(new ZipEntry(file));
      entries.write(code.readAllBytes());
    }
  }
}
