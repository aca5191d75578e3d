import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures the page in a headless Chromium: {@code java bench/PageSpeed.java CHROMIUM API-PORT
 * FAST-PORT ROWS LOADS FOLDER}. Prints a key and a number a line; {@code bench/page} says what they
 * are.
 */
final class PageSpeed {
  /** Times of frames in milliseconds, and of tasks that kept the page busy for more than 50 ms. */
  private static final String PROBE =
      """
      window.frames = []; window.tasks = [];
      new PerformanceObserver(l => l.getEntries().forEach(e => tasks.push(e.duration)))
        .observe({ type: 'longtask' });
      (() => { let last = performance.now();
        const frame = now => { frames.push(now - last); last = now; requestAnimationFrame(frame); };
        requestAnimationFrame(frame); })();
      """;

  private static final String FRAMES =
      """
      (() => { const f = frames.splice(0).slice(1).sort((a, b) => a - b), t = tasks.splice(0);
        return [f[f.length >> 1] ?? 0, f[Math.floor(f.length * 0.99)] ?? 0, f.at(-1) ?? 0,
          f.filter(x => x > 50).length, f.length, Math.max(0, ...t), t.length]
          .map(x => +x.toFixed(1)).join(' '); })()
      """;

  private static final String[] OF_FRAMES = {
    "frame-median",
    "frame-p99",
    "frame-max",
    "frames-over-50",
    "frames",
    "task-max",
    "tasks-over-50"
  };

  private static final String LOADED =
      """
      (() => { const p = performance.getEntriesByName('first-contentful-paint')[0];
        return p && window.firstRows
          ? p.startTime.toFixed(0) + ' ' + window.firstRows.toFixed(0) : ''; })()
      """;

  private static final String WATCH_ROWS =
      """
      new MutationObserver((_, o) => { if (document.querySelector('#list .row')) { o.disconnect();
        requestAnimationFrame(() =>
          setTimeout(() => { window.firstRows = performance.now(); })); } })
        .observe(document, { childList: true, subtree: true })
      """;

  /** From the oldest record that is loaded to the newest, as somebody who holds a key sees it. */
  private static final String SCROLL =
      """
      (() => { const list = document.getElementById('list'); let y = 0;
        list.scrollTop = 0; frames.length = 0; window.end = 0;
        const step = () => { list.scrollTop = y += list.scrollHeight / 300;
          if (y < list.scrollHeight) requestAnimationFrame(step); else window.end = 1; };
        requestAnimationFrame(step); })()
      """;

  private static final String ROWS = "document.querySelector('.item')?.ariaSetSize ?? 0";

  private static final String SAID = "document.getElementById('said').innerText";

  private static final String LET_GO =
      "(/([0-9,]+) were let go/.exec(" + SAID + ")?.[1] ?? '0').replaceAll(',', '')";

  private static final Pattern VALUE = Pattern.compile("\"value\":\"?([^\"}]*)");
  private static final Pattern HEAP = Pattern.compile("\"JSHeapUsedSize\",\"value\":([0-9.eE+]+)");

  /** A page holds no more rows. */
  private static final int MOST_ROWS = 1_000_000;

  private final Map<Integer, CompletableFuture<String>> waiting = new ConcurrentHashMap<>();
  private final AtomicInteger lastId = new AtomicInteger();
  private final WebSocket socket;

  private PageSpeed(URI address, HttpClient http) {
    socket = http.newWebSocketBuilder().buildAsync(address, new Messages()).join();
  }

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[5]);
    Process browser =
        new ProcessBuilder(
                args[0],
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--window-size=1400,900",
                "--user-data-dir=" + folder.resolve("profile"),
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (HttpClient http = HttpClient.newHttpClient()) {
      var page = new PageSpeed(tab(folder, http), http);
      String address = "http://localhost:" + args[1] + "/";
      int rows = Integer.parseInt(args[3]);
      page.idle();
      page.load(address, Integer.parseInt(args[4]));
      page.stream(address, rows);
      page.follow(address, Integer.parseInt(args[2]));
      page.scroll(address);
      page.socket.abort();
      http.shutdownNow();
    } finally {
      browser.descendants().forEach(ProcessHandle::destroyForcibly);
      browser.destroyForcibly().waitFor();
    }
  }

  private static URI tab(Path folder, HttpClient http) throws Exception {
    Path port = folder.resolve("profile/DevToolsActivePort");
    while (!Files.exists(port) || Files.size(port) == 0) {
      Thread.sleep(50);
    }
    URI list = URI.create("http://127.0.0.1:" + Files.readAllLines(port).getFirst() + "/json/list");
    String tabs = http.send(HttpRequest.newBuilder(list).build(), BodyHandlers.ofString()).body();
    Matcher address = Pattern.compile("\"webSocketDebuggerUrl\": *\"([^\"]+)\"").matcher(tabs);
    if (!address.find()) {
      throw new IOException("expected a tab, found " + tabs);
    }
    return URI.create(address.group(1));
  }

  /** Nothing but the browser and this machine. */
  private void idle() throws Exception {
    for (String domain : new String[] {"Page", "Performance", "Network"}) {
      send(domain + ".enable", "{}");
    }
    send("Network.setCacheDisabled", "{\"cacheDisabled\":true}");
    open("about:blank");
    evaluate(PROBE);
    Thread.sleep(5000);
    frames("idle");
  }

  private void load(String page, int loads) throws Exception {
    send("Page.addScriptToEvaluateOnNewDocument", "{\"source\":" + text(WATCH_ROWS) + "}");
    for (int i = 0; i < loads; i++) {
      open(page);
      String[] times = await(LOADED, value -> !value.isEmpty()).split(" ");
      say("first-paint", times[0]);
      say("first-records", times[1]);
    }
  }

  private void stream(String page, int rows) throws Exception {
    open(page + "?topic=rows");
    await(ROWS, value -> !value.equals("0"));
    evaluate(PROBE);
    evaluate("window.up = setInterval(() => (document.getElementById('list').scrollTop = 0), 20)");
    await(ROWS, value -> Integer.parseInt(value) >= rows);
    frames("stream");
    say("heap-mb", "%.1f".formatted(heap() / 1e6));
    if (rows >= MOST_ROWS) {
      await(LET_GO, value -> Integer.parseInt(value) >= rows / 2);
      frames("beyond");
      say("heap-beyond-mb", "%.1f".formatted(heap() / 1e6));
    }
    evaluate("clearInterval(up)");
  }

  /** Sends 2,000 lines a second for ten seconds, and waits until the page has the last of them. */
  private void follow(String page, int port) throws Exception {
    open(page + "?topic=live&live=true");
    await("document.getElementById('live').className", "live"::equals);
    evaluate(PROBE);
    byte[] lines =
        "level=info msg=\"order taken\" user=u7\n".repeat(100).getBytes(StandardCharsets.US_ASCII);
    try (var node = new Socket("localhost", port);
        OutputStream out = node.getOutputStream()) {
      out.write("CORDWOOD/1 topic=live\n".getBytes(StandardCharsets.US_ASCII));
      for (int i = 0; i < 200; i++) {
        out.write(lines);
        Thread.sleep(50);
      }
      out.write("the last one\n".getBytes(StandardCharsets.US_ASCII));
    }
    await("document.getElementById('list').innerText.includes('the last one')", "true"::equals);
    frames("live");
  }

  private void scroll(String page) throws Exception {
    open(page + "?topic=rows");
    await(ROWS, value -> !value.equals("0"));
    evaluate(PROBE);
    evaluate(SCROLL);
    await("window.end", "1"::equals);
    frames("scroll");
  }

  /** Whose frames are forgotten: nobody but this asks for a collection in one go. */
  private double heap() throws Exception {
    send("HeapProfiler.collectGarbage", "{}");
    evaluate("frames.length = 0; tasks.length = 0");
    Matcher used = HEAP.matcher(send("Performance.getMetrics", "{}").replaceAll("\"name\":", ""));
    return used.find() ? Double.parseDouble(used.group(1)) : Double.NaN;
  }

  private void frames(String what) throws Exception {
    String[] values = evaluate(FRAMES).split(" ");
    for (int i = 0; i < values.length; i++) {
      say(what + "-" + OF_FRAMES[i], values[i]);
    }
  }

  private static void say(String key, String value) {
    System.out.println(key + " " + value);
  }

  private void open(String address) throws Exception {
    send("Page.navigate", "{\"url\":" + text(address) + "}");
    await("document.readyState", "complete"::equals);
  }

  private String await(String expression, Predicate<String> condition) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
    for (String value = ""; System.nanoTime() < end; Thread.sleep(100)) {
      value = evaluate("String(" + expression + ")");
      if (condition.test(value)) {
        return value;
      }
    }
    throw new IOException("expected " + expression + " within 10 minutes");
  }

  private String evaluate(String expression) throws Exception {
    String parameters = "{\"returnByValue\":true,\"expression\":" + text(expression) + "}";
    String answer = send("Runtime.evaluate", parameters);
    Matcher value = VALUE.matcher(answer);
    return value.find() ? value.group(1) : "";
  }

  private String send(String method, String parameters) throws Exception {
    int id = lastId.incrementAndGet();
    var answer = new CompletableFuture<String>();
    waiting.put(id, answer);
    String message = "{\"id\":%d,\"method\":\"%s\",\"params\":%s}";
    socket.sendText(message.formatted(id, method, parameters), true).join();
    return answer.get(2, TimeUnit.MINUTES);
  }

  private static String text(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
  }

  private final class Messages implements WebSocket.Listener {
    private final StringBuilder part = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      part.append(data);
      if (last) {
        Matcher id = Pattern.compile("^\\{\"id\":(\\d+)").matcher(part);
        if (id.find()) {
          waiting.remove(Integer.valueOf(id.group(1))).complete(part.toString());
        }
        part.setLength(0);
      }
      from.request(1);
      return null;
    }
  }
}
