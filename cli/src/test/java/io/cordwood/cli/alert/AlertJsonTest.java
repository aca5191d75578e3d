package io.cordwood.cli.alert;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The forms of Alertmanager, byte for byte. */
final class AlertJsonTest {
  private static final Instant START = Instant.parse("2026-11-27T10:00:00Z");

  private static final Rule RULE =
      new Rule(
          "errors",
          List.of(),
          List.of("host"),
          new Condition(Condition.Kind.ABOVE, 10),
          new Rule.Timing(
              Duration.ofMinutes(1),
              Duration.ofMinutes(1),
              Duration.ZERO,
              Duration.ZERO,
              Duration.ofHours(4),
              Duration.ZERO),
          Map.of(),
          Map.of(),
          "http://node:7650/?q=x&");

  private static Alert alert(String host, Optional<Instant> end) {
    return new Alert(
        AlertKey.of(Map.of("host", host)),
        1,
        new TreeMap<>(Map.of("alertname", "errors", "host", host)),
        Map.of("summary", "errors: 11 records"),
        START,
        end,
        RULE.link(START));
  }

  /** Values that Prometheus' own tests expect. */
  @Test
  void fingerprintsAreThoseOfPrometheus() {
    var none = new Alert(AlertKey.UNDECIDED, 1, Map.of(), Map.of(), START, Optional.empty(), "");
    assertThat(none.fingerprint()).isEqualTo("cbf29ce484222325");
    Map<String, String> labels = Map.of("name", "garland, briggs", "fear", "love is not enough");
    var some = new Alert(AlertKey.UNDECIDED, 1, labels, Map.of(), START, Optional.empty(), "");
    assertThat(some.fingerprint()).isEqualTo(Long.toHexString(5799056148416392346L));
  }

  @Test
  void aWebhookGetsVersionFour() {
    Instant end = START.plusSeconds(60);
    String json =
        AlertJson.webhook(
            RULE,
            "http://node:7650/",
            List.of(alert("a\"\n", Optional.empty()), alert("b", Optional.of(end))));
    assertThat(json)
        .isEqualTo(
            """
            {"version":"4","groupKey":"{}:{alertname=\\"errors\\"}",\
            "truncatedAlerts":0,"status":"firing","receiver":"cordwood",\
            "groupLabels":{"alertname":"errors"},"commonLabels":{"alertname":"errors"},\
            "commonAnnotations":{"summary":"errors: 11 records"},\
            "externalURL":"http://node:7650/","alerts":[\
            {"status":"firing","labels":{"alertname":"errors","host":"a\\"\\n"},\
            "annotations":{"summary":"errors: 11 records"},\
            "startsAt":"2026-11-27T10:00:00Z","endsAt":"0001-01-01T00:00:00Z",\
            "generatorURL":"LINK","fingerprint":"A"},\
            {"status":"resolved","labels":{"alertname":"errors","host":"b"},\
            "annotations":{"summary":"errors: 11 records"},\
            "startsAt":"2026-11-27T10:00:00Z","endsAt":"2026-11-27T10:01:00Z",\
            "generatorURL":"LINK","fingerprint":"B"}]}\
            """
                .replace(
                    "LINK",
                    "http://node:7650/?q=x&from=2026-11-27T09:59:00Z&to=2026-11-27T09:59:59.999Z")
                .replace("\"A\"", '"' + alert("a\"\n", Optional.empty()).fingerprint() + '"')
                .replace("\"B\"", '"' + alert("b", Optional.empty()).fingerprint() + '"'));
  }

  @Test
  void whatIsResolvedAsAWholeSaysSo() {
    String json = AlertJson.webhook(RULE, "", List.of(alert("b", Optional.of(START))));
    assertThat(json).contains("\"truncatedAlerts\":0,\"status\":\"resolved\"");
  }

  @Test
  void alertmanagerIsToldWhenWhatFiresIsOver() {
    String json =
        AlertJson.alertmanager(List.of(alert("b", Optional.empty())), START.plusSeconds(240));
    assertThat(json)
        .startsWith("[{\"labels\":{\"alertname\":\"errors\",\"host\":\"b\"}")
        .contains("\"endsAt\":\"2026-11-27T10:04:00Z\"")
        .endsWith("}]");
  }
}
