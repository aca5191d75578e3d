package io.cordwood.query.fields;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the value of a field is; an empty column: the record has no such field. */
final class FieldFinderTest {
  private static @Nullable String value(String record, String field) {
    byte[] bytes = ("before" + record + "behind").getBytes(StandardCharsets.UTF_8);
    var finder = new FieldFinder().in(bytes, 6, bytes.length - 6);
    return finder.find(FieldPath.of(field))
        ? new String(finder.value(), StandardCharsets.UTF_8)
        : null;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"a":1,"b":"x y","c":true,"d":null}            | a          | 1
          {"a":1,"b":"x y","c":true,"d":null}            | b          | x y
          {"a":1,"b":"x y","c":true,"d":null}            | c          | true
          {"a":1,"b":"x y","c":true,"d":null}            | d          | null
          {"a":1,"b":"x y","c":true,"d":null}            | e          |
            { "a" : 1 , "b" : "x" }                      | b          | x
          {"a":""}                                       | a          | ``
          {"a":1,"a":2}                                  | a          | 1
          {"user":{"name":"x","id":17}}                  | user.id    | 17
          {"user.id":17}                                 | user.id    | 17
          {"user":{"name":"x"},"user.id":17}             | user.id    | 17
          {"user":{},"user":{"id":17}}                   | user.id    | 17
          {"user":{"id":17}}                             | user       | {"id":17}
          {"user":{"id":17}}                             | id         |
          {"user":17}                                    | user.id    |
          {"a":{"b.c":{"d":1}}}                          | a.b.c.d    | 1
          {"a":["x",["y",{"b":1}]]}                      | a[0]       | x
          {"a":["x",["y",{"b":1}]]}                      | a[1][1].b  | 1
          {"a":["x",["y",{"b":1}]]}                      | a[2]       |
          {"a":["x",["y",{"b":1}]]}                      | a          | ["x",["y",{"b":1}]]
          {"a[0]":1}                                     | a[0]       | 1
          {"b":"{\\"a\\":2}","a":1}                      | a          | 1
          {"b":"\\\\","a":1}                             | a          | 1
          {"b":["}",{"a":2}],"a":1}                      | a          | 1
          {"a":"x\\"y\\n\\u00e9\\/\\q\\u1"}                | a          | `x"y\n\u00e9/\\q\\u1`
          {"a":"\\ud83d\\ude00"}                         | a          | `\ud83d\ude00`
          {"a":"\\ud83dx"}                               | a          | \ufffdx
          {"\\u0061b":1}                                 | ab         | 1
          {"a\\"b":1}                                    | a"b        | 1
          {"a":1                                         | a          |
          {"a":"1                                        | a          |
          {"a":1,                                        | a          | 1
          {"b" 2,"a":1}                                  | a          |
          {'a':1}                                        | a          |
          [{"a":1}]                                      | a          |
          a=1 b="x y" c= d                               | a          | 1
          a=1 b="x y" c= d                               | b          | x y
          a=1 b="x y" c= d                               | c          | ``
          a=1 b="x y" c= d                               | d          |
          a=1 a=2                                        | a          | 1
          b="a=2" a=1                                    | a          | 1
          b="\\" a=2" a="x\\ty"                          | a          | `x\ty`
          b=a=2 a=1                                      | a          | 1
          b="no end a=1                                  | a          |
          =1 a=1                                         | a          | 1
          at 10:00 [main] took=5ms, path=/x; n=3,        | took       | 5ms
          at 10:00 [main] took=5ms, path=/x; n=3,        | path       | /x
          at 10:00 [main] took=5ms, path=/x; n=3,        | n          | 3,
          said "a=2 " and a=1                            | a          | 1
          user.id=17 user[0]=18                          | user.id    | 17
          user.id=17 user[0]=18                          | user[0]    | 18
          2026 stdout F {"a":1}                          | a          | 1
          2026 b=2 {"a":1} c=3                           | b          | 2
          2026 b=2 {"a":1} c=3                           | c          | 3
          2026 b=2 {"a":1} a=3                           | a          | 1
          10:00 INFO {} shop - a=1 b=2                   | b          | 2
          10:00 INFO { } [] {x} {a=b} b=2                | b          | 2
          Order {} failed {}, a=1                        | a          | 1
          {} a=1                                         | a          | 1
          {}a=1                                          | a          | 1
          {"b":2} a=1                                    | a          | 1
          {"b":2}{"a":1}                                 | a          | 1
          {"b"} x {"a"} {"b":{]}} a=1                    | a          | 1
          {"b" 2,"a":1} a=2                              | a          | 2
          {"a":{"b" 2}} a.b=3                            | a.b        | 3
          x {"b":2 a=1                                   | a          |
          x {"b":"c a=1 d=2                              | a          |
          b={"a":1}                                      | a          |
          b={"a":1}                                      | b          | {"a":1}
          {a=1} a=2                                      | a          | 2
          no field at all                                | a          |
          """)
  void theFirstValueThatANameLeadsToCounts(String record, String field, @Nullable String expected) {
    assertThat(value(record, field)).as("%s of %s", field, record).isEqualTo(expected);
  }

  private static final String COMBINED =
      "192.0.2.1 - frank [10/Oct/2026:13:55:36 +0200] \"GET /a?b=%20&c=d HTTP/1.1\" 200 2326"
          + " \"http://x/?status=1\" \"Mozilla/5.0 (\\\"x\\\")\" rt=0.25";

  @ParameterizedTest
  @CsvSource({
    "remote, 192.0.2.1",
    "ident, ",
    "user, frank",
    "time, 10/Oct/2026:13:55:36 +0200",
    "request, GET /a?b=%20&c=d HTTP/1.1",
    "method, GET",
    "path, /a?b=%20&c=d",
    "protocol, HTTP/1.1",
    "status, 200",
    "size, 2326",
    "referer, http://x/?status=1",
    "agent, Mozilla/5.0 (\\\"x\\\")",
    "rt, 0.25",
    "vhost, ",
    "other, "
  })
  void linesOfAccessLogsHaveTheirNames(String field, @Nullable String expected) {
    assertThat(value(COMBINED, field)).isEqualTo(expected);
    String common = COMBINED.substring(0, COMBINED.indexOf(" \"http"));
    boolean inCommon = !field.equals("referer") && !field.equals("agent") && !field.equals("rt");
    assertThat(value(common, field)).isEqualTo(inCommon ? expected : null);
    String host = field.equals("vhost") ? "shop.example.com" : expected;
    assertThat(value("shop.example.com:443 " + COMBINED, field)).isEqualTo(host);
  }

  @ParameterizedTest
  @CsvSource({
    "'web-1  | ', 192.0.2.1, ",
    "'10.0.0.1, ', 192.0.2.1, ",
    "'2026-10-10T11:55:36Z stdout F ', 192.0.2.1, ",
    "'Oct 10 13:55:36 web1 nginx: a.example:443 ', 192.0.2.1, a.example",
    "'x - - ', 192.0.2.1, ",
  })
  void whateverIsInFrontOfThemLinesOfAccessLogsHaveTheirNames(
      String before, String remote, @Nullable String vhost) {
    String line = before + COMBINED;
    assertThat(value(line, "remote")).as(line).isEqualTo(remote);
    assertThat(value(line, "user")).as(line).isEqualTo("frank");
    assertThat(value(line, "status")).as(line).isEqualTo("200");
    assertThat(value(line, "vhost")).as(line).isEqualTo(vhost);
    assertThat(value(line, "agent")).as(line).startsWith("Mozilla");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1.2.3.4 - Mary Ann [T] "GET / HTTP/1.1" 200 1   | user  | Mary Ann
          1.2.3.4 - Mary Ann [T] "GET / HTTP/1.1" 200 1   | remote| 1.2.3.4
          a.x:443 1.2.3.4 - A B [T] "GET / HTTP/1.1" 200 1 | vhost | a.x
          x - 1.2.3.4 id al [T] "GET / HTTP/1.1" 200 1 | remote  | 1.2.3.4
          localhost id frank [T] "GET / HTTP/1.1" 200 1   | remote| localhost
          "1.2.3.4, 5.6.7.8" - - [T] "GET / HTTP/1.1" 200 1  | remote| 5.6.7.8
          1.2.3.4 - - [T] "GET /a b.x HTTP/1.1" 200 1     | path  | /a b.x
          1.2.3.4 - - [T] "GET /a b.x HTTP/1.1" 200 1     | protocol | HTTP/1.1
          1.2.3.4 - - [T] "GET /a b" 200 1                | path  | /a b
          1.2.3.4 - - [T] "GET /a b" 200 1                   | protocol |
          1.2.3.4 - - [T] 24675 "GET / HTTP/1.1" 200 1    | status| 200
          1.2.3.4 - - [T] 0.012 a.x "GET / HTTP/1.1" 200 1| method| GET
          [T] 1.2.3.4 TLSv1.3 "GET / HTTP/1.1" 200        | status| 200
          [T] status=3 "GET / HTTP/1.1                       | status   | 3
          """)
  void blanksInPartsOfAnAccessLogMoveNoOtherPart(
      String shortLine, String field, @Nullable String expected) {
    String line = shortLine.replace("[T]", "[10/Oct/2026:13:55:36 +0200]");
    assertThat(value(line, field)).as("%s of %s", field, line).isEqualTo(expected);
  }

  @Test
  void aLineOfAnAccessLogMayBeginWithItsTime() {
    String line = COMBINED.substring(COMBINED.indexOf('['));
    assertThat(value(line, "status")).isEqualTo("200");
    assertThat(value(line, "time")).isEqualTo("10/Oct/2026:13:55:36 +0200");
    assertThat(value(line, "remote")).isNull();
    assertThat(value("192.0.2.1 " + line, "path")).isEqualTo("/a?b=%20&c=d");
    assertThat(value("192.0.2.1 " + line, "user")).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "1.2.3.4 - - [x] \"-\" 400 0, status, 400",
    "1.2.3.4 - - [x] \"-\" 400 0, path, ",
    "1.2.3.4 - - [x] \"GET /\" 400 0, path, /",
    "1.2.3.4 - - [x] \"GET /\" 400 0, protocol, ",
    "1.2.3.4 - - [x] \"GET / 400 0, status, ",
    "1.2.3.4 - - [x 400 0, status, ",
    "1.2.3.4 - - [x] 400, status, ",
    "a b c status=3, status, 3",
    "10:30 1.2.3.4 - - [main] took 5, remote, ",
    "10:30 1.2.3.4 - - [main, remote, ",
    "10:30:00 1.2.3.4 - - [x] \"GET /\" 400 0, remote, ",
    ":443 1.2.3.4 - - [x] \"GET /\" 400 0, status, ",
    "x:443, vhost, ",
    "x: 1.2.3.4 - - [x] \"GET /\" 400 0, status, "
  })
  void whatOnlyBeginsLikeAnAccessLogHasWhatItHas(
      String record, String field, @Nullable String expected) {
    assertThat(value(record, field)).as(record).isEqualTo(expected);
  }
}
