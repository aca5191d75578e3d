package io.cordwood.query.fields;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class LevelSkimmerTest {
  private static final long SEED = Long.getLong("cordwood.seed", 1);
  private static final int ROUNDS = 100_000;

  /** With their digits others each time. */
  private static final List<String> LINES =
      """
      2026-11-26 10:00:00,123 - WARN  [LearnerHandler-/10.10.34.12:30304:LearnerHandler@577] - x
      081109 203615 148 INFO dfs.DataNode$PacketResponder: PacketResponder 1 for block blk_38 ends
      17/06/09 20:10:54 INFO executor.Executor: Finished task 0.0 in stage 8.0 (TID 384). 2 bytes
      Jul  9 12:16:49 combo ftpd[25692]: connection from 192.0.2.9 () at Sat Jul  9 12:16:49 2026
      Dec 10 11:01:01 LabSZ sshd[28728]: pam_unix(sshd:auth): failure; logname= uid=0 tty=ssh
      Dec 10 11:01:02 LabSZ sshd[28728]: error: Received disconnect from 192.0.2.9: 11: [preauth]
      2026-09-28 04:30:31, Info                  CBS    Loaded Servicing Stack v6.1.7601.23505
      03-17 16:13:38.811  1702  2395 D WindowManager: printFreezingDisplayLogs app=ActivityRecord
      [10.30 16:49:06] chrome.exe - proxy.example.org:5070 close, 0 bytes sent, lifetime 00:01
      [Sun Dec 04 04:47:44 2026] [error] mod_jk child workerEnv in error state 6
      - 1131566461 2026.11.09 dn228 Nov 9 12:01:01 dn228/dn228 crond(pam_unix)[2915]: session closed
      - 1117838570 2026.06.03 R02-M1-N0-C:J12-U11 2026-06-03-15.42 R02-M1-N0 RAS KERNEL INFO parity
      134681 node-246 unix.hw state_change.unavailable 1077804742 1 Component State Change: x
      20171223-22:15:29:606|Step_LSC|30002312|onStandStepChanged 3579
      nova-api.log 2026-05-16 00:00:00.008 25746 INFO nova.osapi_compute.wsgi [-] "GET /v2/54"
      2026-10-18 18:01:47,978 INFO [main] org.apache.hadoop.mapreduce.v2.app.MRAppMaster: Created
      192.0.2.7 - - [26/Nov/2026:10:00:00 +0000] "GET /ERROR?level=fatal HTTP/1.1" 200 12 "-" "x"
      {"time":"2026-11-26T10:00:00Z","level":"warn","msg":"x"}
      time=2026-11-26T10:00:00Z level=warn msg="x y" dur=12ms
      2026-11-26 10:00:00.123 UTC [71] STATEMENT:  SELECT 12 FROM x WHERE level='error'
      [26-Nov-2026 10:00:00 UTC] PHP Fatal error:  Uncaught Error: x
      2026-11-26T10:00:00.000+0000 E NETWORK  [conn12] x
      web-1  | 2026-11-26 10:00:00 12 [Warning] x
      2026-11-26T10:00:00.123456Z stdout F 10:00AM WRN x
      71:M 26 Nov 2026 10:00:00.123 # Server x
      """
          .lines()
          .toList();

  private static final List<String> TEXTS =
      List.of(
          ("error ERROR Error WARN warning Info INFO debug1 DEBUG1 fatal FATAL E W D ERRO WRN LOG"
                  + " PHP Note System STATEMENT HINT level LEVEL lvl severity severity_text"
                  + " PRIORITY s l 5level 12 7 2026-11-26 10:00:00 10:00AM 00Z x _ node-12"
                  + " abcdefghijklmnop HTTPGET POST /x ] [ ( ) { } \" ' \\ : = , | . @ - ? & <"
                  + " <12> \u00fc \u001b[31m \u001b"
                  + " [a:error] [warn [main] \"GET \"level\": level= ]: : stdout F")
              .split(" ", -1));

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final LevelSkimmer skimmer = new LevelSkimmer();

  @Test
  void findsTheSameInLinesAsPrograms() {
    Pattern digit = Pattern.compile("[0-9]");
    for (int i = 0; i < ROUNDS; i++) {
      String line = oneOf(LINES) + (random.nextInt(4) == 0 ? " " + oneOf(LINES) : "");
      compare(digit.matcher(line).replaceAll(this::digit));
    }
  }

  private String digit(MatchResult found) {
    return String.valueOf(random.nextInt(5) == 0 ? random.nextInt(10) : found.group());
  }

  @Test
  void findsTheSameInAnyText() {
    for (int i = 0; i < ROUNDS; i++) {
      var text = new StringBuilder();
      if (random.nextInt(3) == 0) {
        String line = oneOf(LINES);
        text.append(line, 0, random.nextInt(line.length() + 1));
      }
      for (int left = random.nextInt(random.nextInt(8) == 0 ? 160 : 24); left > 0; left--) {
        text.append(oneOf(TEXTS)).append(oneOf(List.of(" ", " ", " ", "", "", "  ", "\t", ": ")));
      }
      compare(text.toString());
    }
  }

  /** In a block, of which it is the last record at times. */
  private void compare(String record) {
    String before = oneOf(List.of("", "x\n", "ERROR x: warn\n"));
    String behind = oneOf(List.of("", "\n", "\nERROR level=fatal ".repeat(9)));
    byte[] bytes = (before + record + behind).getBytes(StandardCharsets.ISO_8859_1);
    int end = before.length() + record.length();
    assertThat(skimmer.level(bytes, before.length(), end))
        .as("seed %d: %s", SEED, record)
        .isEqualTo(LevelFinder.level(bytes, before.length(), end));
  }

  private <T> T oneOf(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }
}
