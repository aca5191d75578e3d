package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.net.HostPort;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.logql.Logql;
import io.cordwood.query.logql.LogqlException;
import io.cordwood.query.template.Template;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each name in the tables of {@code docs/grafana.md} is one that nodes know, or refuse. */
final class GrafanaPageTest {
  private static final Path PAGE = Path.of("../docs/grafana.md");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final long FIRST = 1_700_000_000_000L;

  /** The first row that begins with a cell. */
  private static String row(String cell) throws IOException {
    return Files.readString(PAGE)
        .lines()
        .filter(line -> line.startsWith("| " + cell + " |"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("expected a row of " + cell + ", found none"))
        .substring(cell.length() + 4);
  }

  /** The words that stand as code in a text. */
  private static List<String> words(String text) {
    return codes(text).stream().filter(each -> each.matches("[a-z_]+")).toList();
  }

  private static List<String> codes(String text) {
    return CODE.matcher(text).results().map(each -> each.group(1)).toList();
  }

  private static void assertRead(List<String> queries) {
    assertThat(queries).isNotEmpty();
    for (String query : queries) {
      assertThat(Logql.parse(query)).as(query).isNotNull();
    }
  }

  @Test
  void functionsAndStagesOfThePageAreRead() throws IOException {
    List<String> queries = new ArrayList<>();
    for (String name : List.of("json", "logfmt", "pattern", "regexp", "unpack")) {
      assertThat(codes(row("parsers"))).contains(name);
      switch (name) {
        case "pattern" -> queries.add("{} | pattern `<ip> <_>`");
        case "regexp" -> queries.add("{} | regexp `(?P<ip>\\S+)`");
        default -> queries.add("{} | " + name);
      }
    }
    for (String name : words(row("in a range"))) {
      queries.add(name.equals("offset") ? "rate({}[1m] offset -5m)" : name + "({app=\"a\"}[1m])");
    }
    for (String name : words(row("in a range, with `unwrap`"))) {
      String whole = name.endsWith("_") ? name + "over_time" : name;
      if (whole.endsWith("_over_time") || whole.equals("rate")) {
        String quantile = whole.startsWith("quantile") ? "0.9, " : "";
        queries.add(whole + "(" + quantile + "{} | unwrap bytes(x) [1m])");
      }
    }
    for (String name : words(row("aggregations"))) {
      String number = name.endsWith("k") ? "5, " : "";
      if (!List.of("by", "without").contains(name)) {
        queries.add(name + "(" + number + "sum by (app) (rate({}[1m])))");
      }
    }
    for (String name : words(row("formats"))) {
      switch (name) {
        case "line_format" -> queries.add("{} | line_format `{{.name}}`");
        case "label_format" -> queries.add("{} | label_format x=`{{.name}}`");
        case "decolorize" -> queries.add("{} | decolorize");
        default -> queries.add("{} | " + name + " x");
      }
    }
    assertThat(queries).hasSize(37);
    assertRead(queries);
  }

  @Test
  void templatesOfThePageAreReadAndNoFunctionIsMissing() throws IOException {
    String made = "";
    for (String action : codes(row("templates"))) {
      made += action.startsWith("{{") ? action.replace("…", ".x") : "";
    }
    assertRead(List.of("{} | line_format `" + made + "`"));
    List<String> functions = codes(row("functions in templates"));
    assertThat(functions).containsExactlyInAnyOrderElementsOf(Template.functions());
  }

  @Test
  void signsOfThePageAreRead() throws IOException {
    List<String> queries = new ArrayList<>();
    for (String sign : List.of("=", "!=", "=~", "!~")) {
      assertThat(codes(row("selectors"))).contains(sign);
      queries.add("{app" + sign + "\"a\"}");
    }
    for (String sign : List.of("|=", "!=", "|~", "!~", "|>", "!>")) {
      assertThat(codes(row("line filters"))).contains(sign.replace("|", "\\|"));
      queries.add("{} " + sign + " \"a\" or `b`");
    }
    String operations = row("operations");
    for (String signs : codes(operations).subList(0, 2)) {
      for (String sign : signs.split(" ", -1)) {
        queries.add("rate({}[1m]) " + sign + " rate({}[1m])");
      }
    }
    for (String word : List.of("and", "or", "unless")) {
      assertThat(codes(operations)).contains(word);
      queries.add("rate({}[1m]) " + word + " on (app) rate({}[1m])");
    }
    assertThat(queries).hasSize(25);
    assertRead(queries);
  }

  @Test
  void whatThePageSaysIsNotSupportedIsRefused() throws IOException {
    String text = Files.readString(PAGE);
    int from = text.indexOf("All else is answered 400");
    List<String> names = codes(text.substring(from, text.indexOf('\n', from)));
    assertThat(names).isNotEmpty();
    for (String name : names) {
      String query =
          switch (name) {
            case "@" -> "rate({}[1m] @ 5)";
            case "logfmt" -> "{} | logfmt --strict";
            case "range", "with" -> "{} | line_format `{{" + name + " .x}}{{end}}`";
            default -> name + "(5, {} | unwrap x [1m])";
          };
      assertThatThrownBy(() -> Logql.parse(query))
          .isInstanceOf(LogqlException.class)
          .hasMessageContaining(name + " is not supported");
    }
  }

  @Test
  void pathsOfThePageAreAnswered() throws IOException {
    List<String> paths = new ArrayList<>();
    String text = Files.readString(PAGE);
    int from = text.indexOf("| path below");
    for (String row : text.substring(from, text.indexOf("\n\n", from)).split("\n", -1)) {
      if (row.startsWith("| `")) {
        paths.addAll(codes(row.substring(0, row.indexOf(" |"))));
      }
    }
    assertThat(paths).hasSize(15);
    try (var cluster = new TestCluster(1)) {
      cluster.store(
          "store",
          new SegmentFixture(
              1, 1, List.of(Records.lines(new Topic("shop"), Ulid.firstOf(FIRST), "status=200"))));
      var node = new NodeApi(HostPort.parse("127.0.0.1:" + cluster.query("asked").port(), 0));
      for (String path : paths) {
        HttpResponse<String> answer = node.request("GET", asked(path));
        assertThat(answer.statusCode()).as(path + answer.body()).isEqualTo(200);
        assertThat(answer.body()).as(path).startsWith("{");
      }
    }
  }

  private static String asked(String path) {
    String query = path.equals("query") ? "sum(rate({}[1m]))" : "{}";
    return "/loki/api/v1/%s?%s=%s&start=%d&end=%d"
        .formatted(
            path.replace("/NAME/", "/topic/"),
            path.equals("series") ? "match" : "query",
            URLEncoder.encode(query, StandardCharsets.UTF_8),
            FIRST * 1_000_000,
            (FIRST + 60_000) * 1_000_000);
  }
}
