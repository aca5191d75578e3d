package io.cordwood.common.bucket;

import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.bucket.BucketRequests.Verb;
import io.cordwood.common.http.client.ForeignClient;
import io.cordwood.common.http.client.ForeignClient.Answer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bucket of S3, or of a service that speaks its protocol. Uses what all of them have: PUT of a
 * whole object, GET of a range, HEAD, lists of version 2 by {@code start-after}, DELETE.
 */
final class S3Bucket implements Bucket {
  private static final int OK = 200;
  private static final int PARTIAL = 206;
  private static final int NOT_FOUND = 404;
  private static final int NO_SUCH_RANGE = 416;
  private static final Pattern CONTENT_RANGE = Pattern.compile("bytes (\\d+)-(\\d+)/(\\d+)");

  private final S3Place place;
  private final S3Calls calls;

  S3Bucket(S3Place place, AccessKeys keys, ForeignClient client) {
    this(place, new S3Calls(place, keys, client, S3Calls.USUAL_WAIT));
  }

  S3Bucket(S3Place place, S3Calls calls) {
    this.place = place;
    this.calls = calls;
  }

  @Override
  public void put(String key, ObjectContent content) throws IOException {
    ObjectKeys.check(key);
    var call =
        new S3Calls.Call(
            Verb.PUT,
            place.objectPath(key),
            new TreeMap<>(),
            new TreeMap<>(place.putHeaders()),
            content.body(),
            content.sha256Hex());
    calls.ask(call, Answer::status);
    calls.requests().sent(content.size());
  }

  @Override
  public void read(String key, long position, ByteBuffer target) throws IOException {
    int bytes = target.remaining();
    if (bytes == 0) {
      return;
    }
    Tail part = part(key, position, bytes);
    if (part.bytes().remaining() < bytes) {
      throw BucketException.atEnd(key, position, bytes);
    }
    target.put(part.bytes());
  }

  @Override
  public Tail part(String key, long position, int bytes) throws IOException {
    return calls.ask(
        get(key, "bytes=" + position + "-" + (position + bytes - 1)),
        answer -> {
          if (answer.status() == NO_SUCH_RANGE) {
            throw BucketException.atEnd(key, position, bytes);
          }
          Matcher range = range(answer, key);
          long size = Long.parseLong(range.group(3));
          long last = Math.min(position + bytes, size) - 1;
          if (Long.parseLong(range.group(1)) != position
              || Long.parseLong(range.group(2)) != last
              || answer.body().length != last - position + 1) {
            throw new IOException(
                "%s: expected bytes %d to %d, found %s and %d bytes"
                    .formatted(key, position, last, range.group(), answer.body().length));
          }
          return new Tail(ByteBuffer.wrap(answer.body()), size);
        });
  }

  @Override
  public Tail tail(String key, int bytes) throws IOException {
    return calls.ask(
        get(key, "bytes=-" + bytes),
        answer -> {
          boolean empty = answer.status() == OK && answer.body().length == 0;
          if (empty || answer.status() == NO_SUCH_RANGE) {
            return new Tail(ByteBuffer.allocate(0), 0); // an object without bytes has no ranges
          }
          Matcher range = range(answer, key);
          long size = Long.parseLong(range.group(3));
          long expected = Math.min(size, bytes);
          if (Long.parseLong(range.group(1)) != size - expected
              || Long.parseLong(range.group(2)) != size - 1
              || answer.body().length != expected) {
            throw new IOException(
                "%s: expected the last %d bytes, found %s and %d bytes"
                    .formatted(key, bytes, range.group(), answer.body().length));
          }
          return new Tail(ByteBuffer.wrap(answer.body()), size);
        });
  }

  private S3Calls.Call get(String key, String range) {
    ObjectKeys.check(key);
    return S3Calls.Call.of(Verb.GET, place.objectPath(key), Map.of(), Map.of("range", range));
  }

  private Matcher range(Answer answer, String key) throws IOException {
    if (answer.status() == NOT_FOUND) {
      throw new BucketException(Kind.MISSING, place + "/" + key + ": no such object");
    }
    Matcher range = CONTENT_RANGE.matcher(answer.header("content-range").orElse(""));
    if (answer.status() != PARTIAL || !range.matches()) {
      throw new IOException(
          "%s: expected a range, found status %d; does the service know ranges?"
              .formatted(key, answer.status()));
    }
    return range;
  }

  @Override
  public OptionalLong size(String key) throws IOException {
    ObjectKeys.check(key);
    return calls.ask(
        S3Calls.Call.of(Verb.HEAD, place.objectPath(key), Map.of(), Map.of()),
        answer -> answer.status() == NOT_FOUND ? OptionalLong.empty() : length(answer));
  }

  private static OptionalLong length(Answer answer) throws IOException {
    String text = answer.header("content-length").orElse("");
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      throw new IOException("expected a length, found \"" + text + "\"", e);
    }
  }

  @Override
  public Page list(String prefix, String after) throws IOException {
    String whole = place.prefix() + prefix;
    Map<String, String> query = new TreeMap<>(Map.of("list-type", "2", "prefix", whole));
    if (!after.isEmpty()) {
      query.put("start-after", place.prefix() + after);
    }
    var call = S3Calls.Call.of(Verb.LIST, place.bucketPath(), query, Map.of());
    return calls.ask(call, answer -> page(answer, whole, place.prefix() + after));
  }

  /** A service that repeats a page, or leaves the order, is not believed. */
  private Page page(Answer answer, String prefix, String after) throws IOException {
    if (answer.status() != OK) {
      throw new BucketException(
          Kind.DENIED, "%s: %s".formatted(place, S3Xml.fault(answer.body()).message()));
    }
    S3Xml.Listed listed = S3Xml.list(answer.body());
    List<Entry> entries = new ArrayList<>();
    String before = after;
    for (Entry it : listed.entries()) {
      if (!it.key().startsWith(prefix) || !isAfter(it.key(), before)) {
        throw new IOException(
            "expected keys that begin with \"%s\", after \"%s\", found \"%s\""
                .formatted(prefix, before, it.key()));
      }
      before = it.key();
      String key = it.key().substring(place.prefix().length());
      if (ObjectKeys.isKey(key)) {
        entries.add(new Entry(key, it.bytes(), it.modified()));
      }
    }
    if (listed.truncated() && listed.entries().isEmpty()) {
      throw new IOException("expected keys in a list that goes on, found none");
    }
    String last = before.substring(Math.min(before.length(), place.prefix().length()));
    return new Page(entries, listed.truncated() ? Optional.of(last) : Optional.empty());
  }

  private static boolean isAfter(String key, String other) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    return other.isEmpty()
        || Arrays.compareUnsigned(bytes, other.getBytes(StandardCharsets.UTF_8)) > 0;
  }

  @Override
  public void delete(String key) throws IOException {
    ObjectKeys.check(key);
    calls.ask(
        S3Calls.Call.of(Verb.DELETE, place.objectPath(key), Map.of(), Map.of()), Answer::status);
  }

  @Override
  public String url() {
    return place.url();
  }

  @Override
  public BucketRequests requests() {
    return calls.requests();
  }

  @Override
  public void close() {
    calls.close();
  }

  @Override
  public String toString() {
    return place.toString();
  }
}
