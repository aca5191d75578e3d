package io.cordwood.query.fields;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LevelTest {
  private static Level of(String record) {
    byte[] bytes = ("x" + record + "FATAL").getBytes(StandardCharsets.UTF_8);
    return LevelFinder.level(bytes, 1, bytes.length - 5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"level\":\"error\",\"msg\":\"x\"}          | ERROR",
        "{\"msg\":\"ERROR\", \"level\" : \"Warning\"} | WARN",
        "{\"level\":30,\"pid\":50}                   | INFO",
        "{\"log.level\":\"TRACE\"}                   | DEBUG",
        "time=1 lvl=dbug severity=notice            | INFO",
        "level=                                     | NONE",
        "level                                      | NONE",
        "2026-01-31 12:00 WARN [main] no ERROR here | WARN",
        "WARNINGS ERRORS error info                 | NONE",
        "[ERROR] x                                  | ERROR",
        "- \u001b[31mERROR\u001b[0m x                 | ERROR",
        "- \u001b[31XERROR                            | NONE",
        "the level is high, SEVERE: x               | ERROR",
        "nothing at all                             | NONE",
      })
  void levelIsThatOfAFieldOrElseOfAWord(String record, Level level) {
    assertThat(of(record)).isEqualTo(level);
  }

  /** What is in front of the bar is the level, and a hyphen none. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          INFO  | {"msg":"battery","fuel_level":50,"level":"info"}
          INFO  | zoom_level=40 level=info msg=x
          NONE  | zoom_level=40 msg=x
          NONE  | {"battery.level":50}
          NONE  | water level: 50
          ERROR | {"game.level":"fine","level":"error"}
          ERROR | {"player":{"level":"fine"},"level":"error"}
          ERROR | {"log":{"level":"error"}}
          ERROR | {"msg":"set level=debug","level":"error"}
          ERROR | msg="set level=debug" level=error
          WARN  | app_level=warn
          ERROR | lvl=info severity=error
          WARN  | severity=error level=warn
          ERROR | {"@t":"2026-11-26T10:00:00Z","@m":"x","@l":"Error"}
          INFO  | {"Timestamp":"x","Level":"Information","Message":"x"}
          WARN  | {"Timestamp":"x","Level":"Warning","Message":"x"}
          ERROR | {"time":"x","LogLevel":"Critical","msg":"x"}
          ERROR | {"PRIORITY":"3","MESSAGE":"disk failed"}
          ERROR | {"version":"1.1","host":"h","short_message":"x","level":3}
          NONE  | {"host":"h","level":3}
          ERROR | {"level":50,"msg":"pino error"}
          ERROR | {"s":"E","c":"NETWORK","msg":"mongo error"}
          DEBUG | {"t":{"$date":"x"},"s":"D1", "c":"NETWORK"}
          NONE  | {"s":"E","west":"no"}
          ERROR | time=x severity=emergency msg=x
          INFO  | {"severity":"NOTICE","msg":"x"}
          WARN  | {"lvl":"W"}
          ERROR | {'levelname': 'ERROR'}
          ERROR | {"severityText":"ERROR"}
          ERROR | {"level":300,"level_name":"CRITICAL"}
          ERROR | {"log":"{\\"level\\":\\"error\\",\\"msg\\":\\"x\\"}\\n","stream":"stdout"}
          ERROR | {"log":"{\\"level\\":50,\\"msg\\":\\"x\\"}\\n","stream":"stdout"}
          ERROR | {"log":"level=error msg=x\\n","stream":"stdout"}
          """)
  void theFieldThatIsNamedLevelCountsBeforeAllOthers(Level level, String record) {
    assertThat(of(record)).isEqualTo(level);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ERROR | [Thu Nov 26 10:00:00.123456 2026] [core:error] [pid 1] AH00126: Invalid URI
          WARN  | [Thu Nov 26 10:00:00.123456 2026] [ssl:warn] [pid 1] AH01909: no match
          ERROR | [Thu Nov 26 10:00:00 2026] [:error] [pid 1] x
          DEBUG | [Thu Nov 26 10:00:00 2026] [core:trace3] [pid 1] x
          ERROR | 2026/11/26 10:00:00 [error] 7#7: *1 open() failed
          WARN  | 2026-11-26T10:00:00.123456Z 0 [Warning] [MY-010068] [Server] self signed.
          ERROR | 2026-11-26T10:00:00.123456Z 0 [ERROR] [MY-010119] [Server] Aborting
          INFO  | 2026-11-26 10:00:00 0 [Note] mysqld: ready
          INFO  | 2026-11-26 10:00:00.123 UTC [7] LOG:  database system is ready
          ERROR | 2026-11-26 10:00:00.123 UTC [7] FATAL:  password authentication failed
          DEBUG | 2026-11-26 10:00:00.123 UTC [7] DEBUG1:  x
          NONE  | 2026-11-26 10:00:00.123 UTC [7] DETAIL:  x
          ERROR | fail: Microsoft.AspNetCore.Server.Kestrel[13]
          WARN  | warn: Microsoft.AspNetCore.Server.Kestrel[13]
          DEBUG | dbug: Microsoft.AspNetCore.Server.Kestrel[13]
          ERROR | crit: Microsoft.AspNetCore.Server.Kestrel[6]
          ERROR | Nov 26 10:00:00 h sshd[1]: error: kex_exchange_identification
          WARN  | Nov 26 10:00:00 h postfix/smtpd[1]: warning: hostname
          WARN  | [26-Nov-2026 10:00:00 UTC] PHP Warning:  x
          ERROR | [26-Nov-2026 10:00:00 UTC] PHP Fatal error:  x
          ERROR | E1126 10:00:00.123456       1 server.go:11] x
          WARN  | W20261126 10:00:00.123456 1 main.cc:11] [ERROR] x
          ERROR | E/Activity(123): x
          DEBUG | D/Activity: x
          NONE  | I/O: failed
          WARN  | 11-26 10:00:00.123  123  456 W Tag: x
          ERROR | 2026-11-26T10:00:00.000+0000 E NETWORK  [conn1] x
          ERROR | [E 261126 10:00:00 web:1] x
          WARN  | 7:M 26 Nov 2026 10:00:00.123 # Server x
          INFO  | 7:M 26 Nov 2026 10:00:00.123 * Ready to accept connections
          NONE  | 2026-11-26 10:00:00.123 - x
          ERROR | ERROR:root:x
          ERROR | 2026-11-26 10:00:00.123 ERROR 123 --- [main] c.e.App : x
          ERROR | [2026-11-26 10:00:00,123] ERROR [KafkaServer id=0] x
          ERROR | [2026-11-26T10:00:00,123][ERROR][o.e.b.Elasticsearch] x
          WARN  | [2026-11-26T10:00:00,123][WARN ][o.e.b.Elasticsearch] x
          INFO  | 2026-11-26 10:00:00 [info     ] x
          INFO  | 2026-11-26T10:00:00.123Z	info	x
          ERROR | ERRO[0000] x
          WARN  | 10:00AM WRN x
          DEBUG | [10:00:00 VRB] x
          ERROR | `18:00:00.1 |-ERROR in ch.qos.logback`
          ERROR | <11>Nov 26 10:00:00 web1 app: disk failed
          INFO  | <190>1 2026-11-26T10:00:00Z web1 app - - - x
          ERROR | <14>Nov 26 10:00:00 web1 app: ERROR disk failed
          NONE  | <192>x
          NONE  | <p>x
          INFO  | INFO  errors=0 no ERROR here
          NONE  | an error: it says so
          NONE  | a[error] and error
          NONE  | 192.0.2.7 - - [26/Nov/2026:10:00:00 +0000] "GET /?level=fatal HTTP/1.1" 200 12
          NONE  | 192.0.2.7 - - [26/Nov/2026:10:00:00 +0000] "GET /ERROR/x HTTP/1.1" 200 12
          NONE  | fetched https://shop.example/?a=b&level=fatal
          INFO  | {"request":"GET /x?level=fatal HTTP/1.1","level":"info"}
          INFO  | {"log":"\"GET /ERROR HTTP/1.1\" 200","level":"info"}
          INFO  | INFO:     192.0.2.7:51 - "GET /?severity=error HTTP/1.1" 200 OK
          INFO  | 2026-11-26 10:00:00 UTC [7] LOG:  statement: SELECT * FROM x WHERE level='error'
          NONE  | 2026-11-26 10:00:00 UTC [7] STATEMENT:  SELECT * FROM x WHERE level='error'
          NONE  | 2026-11-26 10:00:00 UTC [7] HINT:  ERROR is a word
          NONE  | [System] ready
          """)
  void formsOfServersAreKnown(Level level, String record) {
    assertThat(of(record)).isEqualTo(level);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ERROR | payment failed  {"severity":"ERROR","trace_id":"1"}
          ERROR | INFO it says  {"severity":"ERROR"}
          ERROR | payment failed  {"severity_number":17}
          ERROR | payment failed  {"severity":"odd","severity_number":24}
          WARN  | payment failed  {"severity":"Warn3","severity_number":1}
          WARN  | {"a":1}  {"severity_number":13,"body":"json"}
          INFO  | x  {"severity_number":12}
          DEBUG | x  {"severity_number":8}
          DEBUG | x  {"severity_number":1}
          NONE  | x  {"severity_number":0}
          NONE  | x  {"severity_number":25}
          ERROR | {"severityNumber":17,"body":"x"}
          NONE  | x  {"my_severity_number":17}
          """)
  void theSeverityBesideATextIsItsLevel(Level level, String record) {
    assertThat(of(record)).isEqualTo(level);
    String text = "-".repeat(Level.LOOKED_AT);
    if (record.contains("  {")) {
      assertThat(of(text + record)).isEqualTo(level);
      assertThat(of(text + record.replace("}", ",\"a\":\"" + text + "\"}"))).isEqualTo(level);
    }
  }

  @Test
  void theLevelOfALongTextIsThatOfItsFieldLevel() {
    assertThat(of("level=info " + "-".repeat(Level.LOOKED_AT) + "  {\"severity\":\"ERROR\"}"))
        .isEqualTo(Level.INFO);
    assertThat(of("WARN " + "-".repeat(Level.LOOKED_AT) + "  {\"severity\":\"ERROR\"}"))
        .isEqualTo(Level.ERROR);
    assertThat(of("WARN " + "-".repeat(Level.LOOKED_AT) + "  {\"a\":\"ERROR\"}"))
        .isEqualTo(Level.WARN);
  }

  /** As encoders of Logstash write it; {@code …} stands for a long message. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ERROR | {"@version":"1","message":"…","level":"ERROR","stack_trace":"WARN"}
          ERROR | {"message":"… WARN level=info \\"level\\":\\"info\\" {","log.level":"error"}
          ERROR | {"message":"WARN …","thread":{"level":"info"},"severity":"ERROR"}
          INFO  | {"message":"…","level":30}
          NONE  | {"message":"…","text":"level","":"error","level"
          NONE  | {"message":"…","battery_level":"error","a":{"level":"error"}}
          NONE  | {"message":"………………………………………………………","level":"ERROR"}
          NONE  | … {"level":"ERROR"}
          """)
  void theFieldOfAnObjectIsFoundAfterALongMessage(Level level, String record) {
    assertThat(of(record.replace("…", "-".repeat(Level.LOOKED_AT)))).isEqualTo(level);
  }

  @Test
  void emptyRecordsHaveNoneAndLongOnesOnlyOneNearTheirBegin() {
    assertThat(of("")).isEqualTo(Level.NONE);
    assertThat(of("-".repeat(Level.LOOKED_AT - 6) + " ERROR")).isEqualTo(Level.ERROR);
    assertThat(of("-".repeat(Level.LOOKED_AT) + " ERROR")).isEqualTo(Level.NONE);
  }
}
