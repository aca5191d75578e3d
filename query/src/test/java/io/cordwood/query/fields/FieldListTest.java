package io.cordwood.query.fields;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.query.fields.FieldList.Field;
import io.cordwood.query.fields.RandomRecords.Sample;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** All fields at once are those that are found one by one. */
final class FieldListTest {
  private static final String ODD_RECORDS =
      """
      took=5ms, x=1; y=2,
      a=1 a=2 b="x \\"y\\" \\q" c= d
      (a=1) https://x/?a=2 b="x"c=3 =4 d=a=b
      said "a=1" a=2
      b="no end a=1
      {"a":1,"a":2,"b":{"c":1},"b":{"c":2},"b.c":3}
      a=1 {"b":2,"a":3}
      2026 {"a":1} b=2
      {"a":1} and a text b=2
      {} a {"a":1} text a=2 {"c":3} b=2
      10:00 {"b" 2} {"a":{]}} a.b=3 {x} a=1
      x {"c":2 a=1
      {"a":1,"b":
      {"a":1,"b" 2,"c":3}
      {"a":{oops},"a.b":1,"c":2}
      {"a":[1,{"b":"x"},[2]],"a[0]":3,"c":[1 2],"c[0]":4}
      {"a":{"b":[}},"c":1}
      {"":1,"a":{"":2,"b":1.50},"c":12345678901234567890,"d":1e3}
      {"a\\u00e9":"\\ud83d\\ude00 \\ud83d \\/ \\u12"}
        { "a" : null , "b" : true }
      {a=1} a=2
      [{"a":1}]
      192.0.2.7 - u [25/Nov/2026:03:00:00 +0000] "GET /p?a=1 HTTP/1.1" 404 17 "-" "x" status=1 a=2
      a.b:80 192.0.2.7 - u [25/Nov/2026:03:00:00 +0000] "GET /p HTTP/1.1" 404 17 vhost=x
      a.b:80 192.0.2.7 - u [25/Nov/2026:03:00:00 +0000] vhost=x
      -:80 192.0.2.7 - u [25/Nov/2026:03:00:00 +0000] "GET /p HTTP/1.1" 200 17
      192.0.2.7 - - [x] "-" - 0 status=2
      2026-11-25 03:00:00 INFO [main] a=1
      2026-11-25 03:00:00 INFO [main] a.b.C - a=1 thread=x
      {"a":1,"level":"WARNING","thread":{"level":1}}
      """;

  @Test
  void fieldsThatAreListedAreThoseThatAreFound() {
    Set<String> names = new HashSet<>();
    ODD_RECORDS.lines().forEach(record -> names.addAll(list(record).all().keySet()));
    assertThat(names).contains("took", "a", "b.c", "a[1].b", "path", "a\u00e9", "level");
    ODD_RECORDS
        .lines()
        .forEach(record -> {
          Map<String, String> found = found(record, names);
          if (!list(record).all().containsKey("time")) {
            found.remove("time"); // That of a line of text is found, but not listed.
          }
          assertThat(values(record)).as(record).isEqualTo(found);
        });
  }

  /** In JSON that is broken there may be fewer. */
  @Test
  void whatIsListedOfBrokenRecordsIsFoundToo() {
    randomRecords()
        .forEach(record -> {
          Map<String, String> listed = values(record);
          assertThat(found(record, listed.keySet())).as(record).isEqualTo(listed);
        });
  }

  @Test
  void fieldsAreInTheOrderOfTheRecord() {
    var records = new RandomRecords(31);
    for (Sample sample : Stream.generate(records::next).limit(3000).toList()) {
      Map<String, String> expected = new LinkedHashMap<>();
      sample.fields().forEach(field -> expected.putIfAbsent(field.name(), field.value()));
      // Those of a line of text are found, but not listed.
      Stream.of("time", "message")
          .filter(name -> !list(sample.text()).all().containsKey(name))
          .forEach(expected::remove);
      list(sample.text())
          .all()
          .forEach((name, field) -> {
            if (!field.isListed()) {
              expected.remove(name); // An object or array.
            }
          });
      assertThat(List.copyOf(list(sample.text()).listed().entrySet()))
          .as(sample.text())
          .isEqualTo(List.copyOf(expected.entrySet()));
    }
  }

  private static Stream<String> randomRecords() {
    var random = new Random(29);
    List<String> begins = List.of("{\"a\":", "{\"b\":{", "a=", " {", "");
    List<String> parts =
        List.of(
            "{",
            "}",
            "[",
            "]",
            "\"",
            ",",
            ":",
            "a",
            "b",
            "=",
            "1",
            "\\",
            " ",
            "\"a\":",
            "\"b\":1,");
    return IntStream.range(0, 3000)
        .mapToObj(i ->
            random
                .ints(random.nextInt(16), 0, parts.size())
                .mapToObj(parts::get)
                .collect(Collectors.joining("", begins.get(random.nextInt(begins.size())), "")));
  }

  private static FieldList list(String record) {
    byte[] bytes = ("x" + record + "x").getBytes(StandardCharsets.UTF_8);
    var list = new FieldList(-1);
    new FieldFinder().in(bytes, 1, bytes.length - 1).list(list, Extract.NONE);
    return list;
  }

  /** Of objects and arrays, which are not listed, the text that is found. */
  private static Map<String, String> values(String record) {
    Map<String, Field> all = list(record).all();
    Map<String, String> values = found(record, all.keySet());
    all.forEach((name, field) -> {
      if (field.isListed() || !field.value().isEmpty()) {
        values.put(name, field.value());
      }
    });
    return values;
  }

  private static Map<String, String> found(String record, Set<String> names) {
    byte[] bytes = record.getBytes(StandardCharsets.UTF_8);
    FieldFinder finder = new FieldFinder().in(bytes, 0, bytes.length);
    Map<String, String> found = new HashMap<>();
    for (String name : names) {
      if (finder.find(FieldPath.of(name))) {
        found.put(name, new String(finder.value(), StandardCharsets.UTF_8));
      }
    }
    return found;
  }
}
