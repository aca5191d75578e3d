package io.cordwood.ingest.event;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Set;

/**
 * The rest of an event beside its text, in the order in which it came: an object of JSON, which
 * stands after the text and two spaces.
 *
 * <pre>
 *   payment failed  {"severity":"ERROR","trace_id":"4bf92f35","items":[1,2]}
 * </pre>
 *
 * <p>Within the object two spaces are never followed by a brace, so its beginning is the last such
 * place of a record. Reusable; for one thread.
 */
public final class Beside {
  /** Stands between a text and what came beside it. */
  static final byte[] SEPARATOR = {' ', ' '};

  /** Stands before an event's own name that means something else here. */
  private static final String ATTRIBUTE = "attr.";

  private static final Set<String> OWN = Set.of("time", "escapes");
  private static final int FIRST_BYTES = 256;
  private static final byte[] NAMED = new byte[128];
  private static final HexFormat HEX = HexFormat.of();

  static {
    NAMED['"'] = '"';
    NAMED['\\'] = '\\';
    NAMED['\n'] = 'n';
    NAMED['\r'] = 'r';
    NAMED['\t'] = 't';
    NAMED['\b'] = 'b';
    NAMED['\f'] = 'f';
  }

  private byte[] bytes = new byte[FIRST_BYTES];
  private int size;

  /** Whether the value that comes next is the first of its object or array. */
  private boolean first = true;

  /** Forgets all. */
  public Beside clear() {
    size = 0;
    first = true;
    return this;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  /** Adds a text. */
  public Beside add(String name, String value) {
    return name(name).string(value);
  }

  /** Adds a whole number. */
  public Beside add(String name, long value) {
    return name(name).raw(Long.toString(value));
  }

  /** Adds all of others, as texts. */
  public Beside addAll(Iterable<? extends java.util.Map.Entry<String, String>> pairs) {
    pairs.forEach(pair -> add(pair.getKey(), pair.getValue()));
    return this;
  }

  /** Adds all of another one. */
  public Beside addAll(Beside other) {
    if (!other.isEmpty()) {
      comma();
      put(other.bytes, 0, other.size);
    }
    return this;
  }

  /** Begins a pair, whose value comes next. */
  public Beside name(String name) {
    comma();
    quoted(name);
    put(':');
    first = true;
    return this;
  }

  /**
   * Begins a pair of the event's own, whose value comes next: names that a record has for itself
   * get {@code attr.} in front.
   */
  public Beside attribute(String name) {
    boolean isTaken = OWN.contains(name) || name.startsWith(ATTRIBUTE);
    return name(isTaken ? ATTRIBUTE + name : name);
  }

  /** A value that is a text; half of a character becomes U+FFFD. */
  public Beside string(String value) {
    comma();
    quoted(value);
    return this;
  }

  /** A value that is a text in UTF-8. */
  public Beside string(byte[] utf8, int from, int to) {
    comma();
    quoted(utf8, from, to);
    return this;
  }

  /** Begins a pair with a name in UTF-8, whose value comes next. */
  public Beside name(byte[] utf8, int from, int to) {
    comma();
    quoted(utf8, from, to);
    put(':');
    first = true;
    return this;
  }

  /** A value of any bytes: a text if they are UTF-8, else {@code {"$base64":"…"}}. */
  public Beside bytes(byte[] any, int from, int to) {
    if (Utf8.is(any, from, to)) {
      return string(any, from, to);
    }
    byte[] coded = Base64.getEncoder().encode(Arrays.copyOfRange(any, from, to));
    return begin('{').name("$base64").string(coded, 0, coded.length).end('}');
  }

  /** A value that is a number, true, false or null, as JSON has it. */
  public Beside raw(String value) {
    comma();
    put(value.getBytes(StandardCharsets.US_ASCII));
    return this;
  }

  /** Begins an object or an array. */
  public Beside begin(char bracket) {
    comma();
    put(bracket);
    first = true;
    return this;
  }

  /** Ends it. */
  public Beside end(char bracket) {
    put(bracket);
    first = false;
    return this;
  }

  private void comma() {
    if (!first) {
      put(',');
    }
    first = false;
  }

  private void quoted(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    quoted(utf8, 0, utf8.length);
  }

  private void quoted(byte[] utf8, int from, int to) {
    int at = from;
    while (at < to && utf8[at] >= 0) {
      at++;
    }
    if (at == to) {
      quotedValid(utf8, from, to);
    } else {
      byte[] valid =
          new String(utf8, from, to - from, StandardCharsets.UTF_8)
              .getBytes(StandardCharsets.UTF_8);
      quotedValid(valid, 0, valid.length);
    }
  }

  private void quotedValid(byte[] utf8, int from, int to) {
    put('"');
    int plain = from;
    for (int at = from; at < to; at++) {
      if (isEscaped(utf8, from, at)) {
        put(utf8, plain, at);
        escaped(utf8[at]);
        plain = at + 1;
      }
    }
    put(utf8, plain, to);
    put('"');
  }

  private static boolean isEscaped(byte[] text, int from, int at) {
    byte each = text[at];
    return each >= 0
        && (each < ' ' || NAMED[each] != 0 || (each == '{' && at > from && text[at - 1] == ' '));
  }

  private void escaped(byte each) {
    put('\\');
    if (NAMED[each] != 0) {
      put((char) NAMED[each]);
    } else {
      put("u00".getBytes(StandardCharsets.US_ASCII));
      put(HEX.toHexDigits(each).getBytes(StandardCharsets.US_ASCII));
    }
  }

  private void put(char each) {
    room(1);
    bytes[size++] = (byte) each;
  }

  private void put(byte[] more) {
    put(more, 0, more.length);
  }

  private void put(byte[] more, int from, int to) {
    room(to - from);
    System.arraycopy(more, from, bytes, size, to - from);
    size += to - from;
  }

  private void room(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
    }
  }

  /** The object, for events that are one themselves. */
  public byte[] toBytes() {
    byte[] object = new byte[length()];
    var _ = writeTo(object, 0);
    return object;
  }

  /** The bytes without braces around them: one value, if one was written. */
  public byte[] value() {
    return Arrays.copyOf(bytes, size);
  }

  /** Bytes of the object with its braces. */
  public int length() {
    return size + 2;
  }

  /** Writes the object, with its braces, to a place; returns the place after it. */
  int writeTo(byte[] target, int at) {
    target[at] = '{';
    System.arraycopy(bytes, 0, target, at + 1, size);
    target[at + 1 + size] = '}';
    return at + length();
  }

  /** Whether a text ends like one that something stands beside, so that this must be said. */
  static boolean isLikeOne(byte[] text, int from, int to) {
    if (to == from || text[to - 1] != '}') {
      return false;
    }
    for (int at = to - 1; at >= from + SEPARATOR.length; at--) {
      if (text[at] == '{' && text[at - 1] == ' ' && text[at - 2] == ' ') {
        return true;
      }
    }
    return false;
  }
}
