package io.cordwood.dist.page;

import io.cordwood.query.fields.Level;
import io.cordwood.query.fields.Shape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;

/**
 * A file of the page, as it is and compressed. Immutable.
 *
 * @param tag names the content: as long as it is the same, so is the content
 */
record PageFile(String type, byte[] plain, byte[] gzip, String tag) {
  private static final int TAG_CHARS = 20;

  /** The module of what a node masks in shapes. */
  static final String MASKS = "masks.js";

  /** The module of which levels are errors. */
  static final String LEVELS = "levels.js";

  /** The module that is run, and imports all others. */
  private static final String MAIN = "main.js";

  /** All modules as one script. */
  static final String SCRIPT = "page.js";

  /** All but the page itself, which are asked for by their names. */
  static Set<String> parts() {
    Set<String> names = new TreeSet<>(PageScript.modules(MAIN, PageFile::text));
    names.addAll(List.of("icon.svg", "page.css", SCRIPT));
    return names;
  }

  /** Makes the script and the modules of masks and levels, reads others from the resources. */
  static PageFile of(String name) {
    return switch (name) {
      case MASKS -> of(name, masks().getBytes(StandardCharsets.UTF_8));
      case LEVELS -> of(name, levels().getBytes(StandardCharsets.UTF_8));
      case SCRIPT -> of(name, script().getBytes(StandardCharsets.UTF_8));
      default -> read(name);
    };
  }

  private static String script() {
    return PageScript.of(MAIN, PageFile::text);
  }

  private static String text(String name) {
    return new String(of(name).plain, StandardCharsets.UTF_8);
  }

  private static String masks() {
    return Shape.MASKS.stream()
        .map(mask ->
            "  [/%s/g%s, \"%s\"],\n"
                .formatted(mask.pattern(), mask.isAnyCase() ? "i" : "", mask.by()))
        .collect(Collectors.joining("", "export const MASKS = [\n", "];\n"));
  }

  private static String levels() {
    return Level.ERROR.words().stream()
        .collect(Collectors.joining("\", \"", "export const ERRORS = new Set([\"", "\"]);\n"));
  }

  private static PageFile read(String name) {
    try (InputStream in = PageFile.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("expected the resource " + name + " of the page");
      }
      return of(name, in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static PageFile of(String name, byte[] plain) {
    return new PageFile(type(name), plain, compressed(plain), tag(plain));
  }

  private static String type(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "html" -> "text/html; charset=utf-8";
      case "css" -> "text/css; charset=utf-8";
      case "js" -> "text/javascript; charset=utf-8";
      case "svg" -> "image/svg+xml";
      default -> throw new IllegalArgumentException("no media type is known for " + name);
    };
  }

  private static byte[] compressed(byte[] plain) {
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(plain);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static String tag(byte[] plain) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(plain);
      return HexFormat.of().formatHex(digest).substring(0, TAG_CHARS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Every JVM has it.
    }
  }
}
