package io.cordwood.query.fields;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Forms of lines of text that say time, thread, logger and message at fixed places. The first that
 * a line has counts. {@code docs/fields.md} has an example of each, which a test parses.
 *
 * <p>The groups of a pattern are named after {@link LineField}. In a line of the form, the group
 * {@code level} holds a level, and the group {@code host} none. The group of the message is where
 * it begins. A match takes time linear in the line: repetitions do not give back what they took.
 */
enum LineForm {
  SPRING_BOOT(
      "TIME +LEVEL +\\d++ --- (?:\\[[^\\]\\n]*+] ?)*?\\[(?<thread>[^\\]\\n]*+)] "
          + "(?:\\[[0-9a-f -]*+] ?)?(?<logger>[^\\s:]++) *+: REST"),
  LOGBACK("(?:BEGIN)?+\\[(?<thread>[^\\]\\n]++)] ++LEVEL ++LOGGER REST"),
  LOG4J("(?:BEGIN)?+LEVEL ++\\[(?<thread>[^\\]\\n]++)] ++LOGGER REST"),
  QUARKUS(
      "(?:BEGIN)?+(?:\\S++ [\\w.-]++\\[\\d++] )?+LEVEL ++\\[(?<logger>[\\w.$]++)]"
          + " \\((?<thread>[^)\\n]++)\\) REST"),
  TOMCAT("TIME LEVEL \\[(?<thread>[^\\]\\n]++)] (?<logger>[\\w$]++(?:\\.[\\w$<>]++)++) REST"),
  PYTHON("BEGIN(?<logger>[\\w.]++) - LEVEL - REST"),
  NLOG("TIME\\|LEVEL\\|(?<logger>[^|\\n]++)\\|REST"),
  SCRAPY("TIME \\[(?<logger>\\w++(?:\\.\\w++)++)] LEVEL REST"),
  PYTHON_ROOT("(?<level>[A-Z]++):(?<logger>[\\w.]++):REST"),
  LOGURU("TIME \\| LEVEL *+\\| (?<logger>\\S++) - REST"),
  KAFKA("\\[TIME] LEVEL REST[^\\n]*? \\((?<logger>[\\w.$-]++)\\)(?=\\n|$)"),
  ELASTICSEARCH("\\[TIME]\\[LEVEL *+]\\[(?<logger>[^\\]\\n ]++) *+] ?REST"),
  ENVOY(
      "\\[TIME]\\[(?<thread>\\d++)]\\[LEVEL]\\[(?<logger>[^\\]\\n]++)] "
          + "(?:\\[[\\w./-]++:\\d++] )?REST"),
  MONOLOG("\\[TIME] (?<logger>[\\w-]++)\\.(?<level>[A-Z]++): REST"),
  CELERY("\\[TIME: (?<level>[A-Z]++)/(?<thread>[^\\]\\s]++)] REST"),
  ENV_LOGGER("\\[TIME LEVEL ++(?<logger>[\\w:.-]++)] REST"),
  NGINX("TIME \\[LEVEL] (?<thread>\\d++#\\d++): REST"),
  APACHE(
      "\\[TIME] \\[(?:(?<logger>\\w*+):)?LEVEL] (?:\\[(?<thread>pid [^\\]\\n]*+)] )?"
          + "(?:\\[(?:client|remote) [^\\]\\n]*+] )?REST"),
  MYSQL(
      "TIME (?<thread>\\d++) \\[(?:System|LEVEL)] (?:\\[MY-\\d++] )?(?:\\[(?<logger>\\w++)]"
          + " )?REST"),
  POSTGRESQL("ZONED \\[(?<thread>\\d++)] (?:\\S++ )?[A-Z]++\\d?:  REST"),
  GUNICORN("\\[TIME] \\[(?<thread>\\d++)] \\[LEVEL] REST"),
  KLOG(
      "(?<level>[EWIFDV])(?<time>\\d{4}(?:\\d{4})? CLOCK) ++(?<thread>\\d++) "
          + "(?<logger>[^\\]\\s]++)] REST"),
  DOTNET("(?:BEGIN)?+(?<level>[a-z]{4}): (?<logger>[\\w.`+]++)\\[\\d++]\\s*+REST"),
  SERILOG("\\[TIME (?<level>[A-Z]{3})] (?:<s:(?<logger>[\\w.]++)> )?REST"),
  JAVA_UTIL_LOGGING("OF_JUL (?<logger>[\\w.$]++) \\S++\\n(?<level>[A-Z]++): REST"),
  RUBY("[DIWEFA], \\[TIME #(?<thread>\\d++)] ++(?<level>[A-Z]++) -- (?<logger>[^:\\n]*+): REST"),
  TORNADO("\\[(?<level>[DIWEC]) OF_TORNADO (?<logger>[^\\]\\n]++)] REST"),
  ANDROID(
      "(?<time>\\d\\d-\\d\\d CLOCK) ++\\d++ ++(?<thread>\\d++) (?<level>[VDIWEF]) "
          + "(?<logger>[^:\\n]++): REST"),
  REDIS("(?<thread>\\d++):[XCSM] TIME [#*.-] REST"),
  ZAP("TIME\\tLEVEL\\t(?:(?<logger>[\\w.-]++)\\t)?(?:[\\w./-]++:\\d++\\t)?REST"),
  THREAD_AND_LEVEL("BEGIN\\[(?<thread>[^\\]\\n]++)] ++LEVEL REST"),
  LEVEL_AND_LOGGER("BEGINLEVEL ++LOGGER REST"),
  SYSLOG_5424(
      "PRIORITY1 (?<time>\\S++) \\S++ (?<logger>\\S++) (?<thread>\\S++) \\S++ "
          + "(?:-|(?:\\[(?:[^\\]\\\\\\n]|\\\\.)*+])++) ?+REST"),
  SYSLOG(
      "(?:PRIORITY)?DATED (?<host>\\S++) (?<logger>[^\\s:\\[]++)"
          + "(?:\\[(?<thread>[^\\]\\n]*+)])?: REST"),
  LEVEL("(?:PRIORITY(?:1 )?)?BEGINLEVEL[ \\t|:,-]*+REST"),
  LEVEL_ALONE("\\[?(?<level>[A-Z]{3,13})(?:]|:|\\[\\d++])? ++REST"),
  TIME("(?:PRIORITY(?:1 )?)?BEGINREST");

  /** In the order in which they are tried. */
  static final List<LineForm> ALL = List.of(values());

  /** No group of a match: 0 is all of it. */
  static final int NONE = 0;

  private static final String NOTE = "Note";

  private final Pattern pattern;
  private final int level;
  private final int host;
  private final int time;
  private final int thread;
  private final int logger;
  private final int message;

  LineForm(String form) {
    this.pattern = Pattern.compile(Part.written(form));
    Map<String, Integer> groups = pattern.namedGroups();
    this.level = groups.getOrDefault("level", NONE);
    this.host = groups.getOrDefault("host", NONE);
    this.time = groups.getOrDefault("time", NONE);
    this.thread = groups.getOrDefault("thread", NONE);
    this.logger = groups.getOrDefault("logger", NONE);
    this.message = groups.getOrDefault("message", NONE);
  }

  /** The match of a line that begins with this form; null if it does not. */
  @Nullable Matcher match(CharSequence line) {
    Matcher matcher = pattern.matcher(line);
    boolean isOne =
        matcher.lookingAt()
            && (level == NONE || isLevel(matcher, level))
            && (host == NONE || !isLevel(matcher, host));
    return isOne ? matcher : null;
  }

  /** The group of a part in a match; {@link #NONE} if there is none. */
  int group(LineField field) {
    return switch (field) {
      case LEVEL -> level;
      case TIME -> time;
      case THREAD -> thread;
      case LOGGER -> logger;
      case MESSAGE -> message;
    };
  }

  /** Whether a group holds a level, or nothing: some words in its place are none. */
  private static boolean isLevel(Matcher matcher, int group) {
    String text = matcher.group(group);
    return text == null || isLevel(text);
  }

  private static boolean isLevel(String text) {
    byte[] word = text.getBytes(StandardCharsets.ISO_8859_1);
    return (word.length == 1 && Level.ofLetter(word[0]) != Level.NONE)
        || Level.ofWord(word, 0, word.length) != Level.NONE
        || text.equals(NOTE);
  }

  /** The expressions for which words in capitals stand. */
  private static final class Part {
    private static final String LEVEL =
        "[\\[(<]?(?<level>[A-Za-z]{1,13}\\d?)(?: *+[\\])>])?:?(?![^\\s|\\[\\]])";

    /** A name without a dot may be a word of the message, if no hyphen follows it. */
    private static final String LOGGER =
        "(?<logger>[A-Za-z_$][\\w$./*-]*+(?= *+--? )"
            + "|[A-Za-z_$][\\w$*-]*+(?:(?:[./]|::)[\\w$*-]++)++(?= *+: )) *+(?:--?|:)";

    private Part() {}

    static String written(String form) {
      return form.replace("BEGIN", "\\[?TIME]?[ \\t|:,-]*+")
          .replace("OF_TORNADO", "(?<time>\\d{6} CLOCK|" + LineTime.DATED + ")")
          .replace("OF_JUL", "(?<time>" + LineTime.OF_JUL + ")")
          .replace("DATED", "(?<time>" + LineTime.OF_SYSLOG + "|" + LineTime.DATED + ")")
          .replace("ZONED", "(?<time>" + LineTime.DATED + "(?: [A-Z]{2,5})?)")
          .replace("TIME", "(?<time>" + LineTime.ANY + ")")
          .replace("CLOCK", LineTime.CLOCK)
          .replace("LEVEL", LEVEL)
          .replace("LOGGER", LOGGER)
          .replace("PRIORITY", "<\\d{1,3}>")
          .replace("REST", "(?<message>)");
    }
  }
}
