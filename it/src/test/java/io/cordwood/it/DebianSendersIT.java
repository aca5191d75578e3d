package io.cordwood.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.net.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs that Debian has send to a node as the page says, with its own blocks, and lose nothing
 * by a kill of the node where their protocol can promise that. {@code -Dcordwood.records=N} says
 * how many records each sends.
 */
final class DebianSendersIT {
  private static final String PAGE = "senders.md";
  private static final int LINES = Integer.getInteger("cordwood.records", 10_000);
  private static final int BEFORE_THE_KILL = LINES / 10;

  /** Fit in a queue of rsyslog, so that it needs no disk. */
  private static final int FEW = 500;

  private static final Pattern NUMBER = Pattern.compile("\\bnumber (\\d+)\\b");

  private static final String RSYSLOG = "usr/sbin/rsyslogd";
  private static final String SYSLOG_NG = "usr/sbin/syslog-ng";
  private static final String JOURNAL_REMOTE = "lib/systemd/systemd-journal-remote";
  private static final String JOURNAL_UPLOAD = "lib/systemd/systemd-journal-upload";

  @TempDir private Path folder;
  private NodeProcess node;

  @BeforeEach
  void start() throws IOException {
    node = NodeProcess.start(folder, "--syslog-port", Integer.toString(FreePorts.next()));
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private void killAndStartAgain() throws IOException {
    node.kill();
    node.close();
    node = node.startAgain(folder);
  }

  /** A block of the page, as it is on this machine. */
  private String block(String sign) throws IOException {
    return DocBlock.runBy(DebianSendersIT.class, PAGE, sign)
        .text()
        .replaceAll("logs\\.example\\.com|node1", "127.0.0.1")
        .replaceAll("\\b1514\\b", Integer.toString(node.port("syslog")))
        .replaceAll("\\b7650\\b", Integer.toString(node.apiPort()));
  }

  private Path lines(int from, int to) throws IOException {
    String text =
        String.join(
            "", IntStream.range(from, to).mapToObj("number %d of a file\n"::formatted).toList());
    return Files.writeString(
        folder.resolve("in.log"), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private Set<Integer> numbers(String literal) throws IOException {
    return node.find(literal).stream()
        .map(NUMBER::matcher)
        .filter(Matcher::find)
        .map(found -> Integer.valueOf(found.group(1)))
        .collect(toSet());
  }

  /** All from 0 on. */
  private void awaitNumbers(String literal, int count, DebianProgram sender) {
    await(literal)
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(() ->
            assertThat(IntStream.range(0, count).boxed())
                .filteredOn(Predicate.not(numbers(literal)::contains))
                .as(sender.printed())
                .isEmpty());
  }

  private DebianProgram rsyslog() throws IOException {
    Path modules = DebianProgram.folder("usr/lib", "-linux-gnu").resolve("rsyslog");
    String configuration =
        """
        global(workDirectory="%s")
        module(load="imfile")
        module(load="omelasticsearch")
        input(type="imfile" File="%s" Tag="shop:")
        %s
        %s
        """
            .formatted(
                Files.createDirectories(folder.resolve("rsyslog")),
                folder.resolve("in.log"),
                block("type=\"omfwd\""),
                block("type=\"omelasticsearch\""));
    Path file = Files.writeString(folder.resolve("rsyslog.conf"), configuration);
    String pid = folder.resolve("rsyslog.pid").toString();
    return DebianProgram.start(
        folder.resolve("rsyslog"),
        RSYSLOG,
        "-n",
        "-M",
        modules.toString(),
        "-f",
        file.toString(),
        "-i",
        pid);
  }

  /** Without a kill: it loses some lines by itself when a connection fails. */
  @Test
  void rsyslogSendsSyslogAndBulkRequests() throws Exception {
    if (!DebianProgram.has(RSYSLOG)) {
      return;
    }
    lines(0, FEW);
    try (DebianProgram rsyslog = rsyslog()) {
      awaitNumbers(" shop - ", FEW, rsyslog);
      awaitNumbers("\"program\":\"shop\"", FEW, rsyslog);
    }
  }

  private DebianProgram syslogNg() throws IOException {
    Path modules = DebianProgram.folder("usr/lib/syslog-ng", "");
    String configuration =
        """
        @version: %s
        @include "%s/elasticsearch/*.conf"
        options { time-reopen(1); };
        source s_file {
          file("%s" flags(no-parse) program-override("till") follow-freq(0.1));
        };
        %s
        %s
        log { source(s_file); destination(d_cordwood); destination(d_cordwood_bulk); };
        """
            .formatted(
                modules.getFileName(),
                DebianProgram.path("usr/share/syslog-ng/include/scl"),
                folder.resolve("in.log"),
                block("  syslog("),
                block("elasticsearch-http("));
    Path file = Files.writeString(folder.resolve("syslog-ng.conf"), configuration);
    Path own = Files.createDirectories(folder.resolve("syslog-ng"));
    return DebianProgram.start(
        own,
        SYSLOG_NG,
        "--foreground",
        "--no-caps",
        "--cfgfile=" + file,
        "--module-path=" + modules,
        "--persist-file=" + own.resolve("persist"),
        "--pidfile=" + own.resolve("pid"),
        "--control=" + own.resolve("control"));
  }

  @Test
  void syslogNgSendsSyslogAndBulkRequestsAndTheseThroughAKill() throws Exception {
    if (!DebianProgram.has(SYSLOG_NG)) {
      return;
    }
    lines(0, BEFORE_THE_KILL);
    try (DebianProgram syslogNg = syslogNg()) {
      String bulk = "\"PROGRAM\":\"till\"";
      awaitNumbers(" till - ", BEFORE_THE_KILL, syslogNg);
      awaitNumbers(bulk, BEFORE_THE_KILL, syslogNg);
      lines(BEFORE_THE_KILL, LINES);
      node.awaitCount(bulk, BEFORE_THE_KILL + 1);
      killAndStartAgain();
      awaitNumbers(bulk, LINES, syslogNg);
    }
  }

  /** Entries a millisecond apart, and so without doubles, however often they are uploaded. */
  private Path journal() throws Exception {
    long now = System.currentTimeMillis();
    var entries = new StringBuilder();
    for (int i = 0; i < LINES; i++) {
      entries.append(
          """
          __CURSOR=s=1;i=%x
          __REALTIME_TIMESTAMP=%d
          __MONOTONIC_TIMESTAMP=%d
          _BOOT_ID=00000000000000000000000000000001
          SYSLOG_IDENTIFIER=unit
          MESSAGE=number %d of a journal

          """
              .formatted(i, (now - LINES + i) * 1000, (i + 1) * 1000, i));
    }
    Path exported = Files.writeString(folder.resolve("entries"), entries, UTF_8);
    Path journal = Files.createDirectories(folder.resolve("journal"));
    try (DebianProgram remote =
        DebianProgram.start(
            folder.resolve("remote"),
            JOURNAL_REMOTE,
            "--output=" + journal.resolve("a.journal"),
            exported.toString())) {
      await().until(() -> !remote.runs());
    }
    return journal;
  }

  private DebianProgram upload(Path journal) throws IOException {
    return DebianProgram.start(
        folder.resolve("upload"),
        JOURNAL_UPLOAD,
        "--url=http://127.0.0.1:" + node.apiPort(),
        "--directory=" + journal,
        "--save-state=" + folder.resolve("cursor"));
  }

  /** What its unit does by {@code Restart=always}. */
  private void uploadUntilAllAreThere(Path journal) throws Exception {
    DebianProgram upload = upload(journal);
    try {
      while (node.count("of a journal") < LINES) {
        if (!upload.runs()) {
          upload = upload(journal);
        }
        Thread.onSpinWait();
      }
    } finally {
      upload.close();
    }
  }

  @Test
  void theJournalIsThereOnceAfterAKill() throws Exception {
    if (!DebianProgram.has(JOURNAL_UPLOAD)) {
      return;
    }
    Path journal = journal();
    try (DebianProgram upload = upload(journal)) {
      node.awaitCount("of a journal", 1);
      killAndStartAgain();
      await().until(() -> !upload.runs() || node.count("of a journal") == LINES);
    }
    uploadUntilAllAreThere(journal);
    Files.delete(folder.resolve("cursor"));
    try (DebianProgram _ = upload(journal)) {
      await().until(() -> Files.exists(folder.resolve("cursor")));
    }
    assertThat(numbers("of a journal")).hasSize(LINES);
    assertThat(node.count("of a journal")).isEqualTo(LINES);
  }

  @Test
  void pythonsHandlerSendsOverTcp() throws Exception {
    if (!Files.isExecutable(Path.of("/usr/bin/python3"))) {
      Skipped.say("Python's SysLogHandler", "there is no /usr/bin/python3");
      return;
    }
    String program =
        block("SysLogHandler")
            + "log = logging.getLogger()\n"
            + "for i in range(%d): log.warning('number %%d of python', i)\n".formatted(LINES);
    Path file = Files.writeString(folder.resolve("log.py"), program);
    Tool.run("/usr/bin/python3", file.toString());
    node.awaitCount(" of python", LINES);
    assertThat(numbers("shop: ")).hasSize(LINES);
    assertThat(node.count(" of python")).isEqualTo(LINES);
  }
}
