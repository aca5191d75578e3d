package io.cordwood.it;

import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** A headless Chromium with one tab, which is driven as a person would. */
final class Browser implements AutoCloseable {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
  private static final Pattern SOCKET = Pattern.compile("\"webSocketDebuggerUrl\": *\"([^\"]+)\"");

  /** After it an answer does not come any more: the page that was asked has been left. */
  private static final Duration LOST = Program.LONG.dividedBy(8);

  private static final String NETWORK_CHANGED = "net::ERR_NETWORK_CHANGED";
  private static final Map<String, Integer> KEY_CODES =
      Map.of("Enter", 13, "Escape", 27, "ArrowLeft", 37, "ArrowRight", 39);

  private final Process process;
  private final DevTools tools;
  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final AtomicInteger networkChanges = new AtomicInteger();

  private Browser(Process process, DevTools tools) throws IOException {
    this.process = process;
    this.tools = tools;
    tools.listen(this::hear);
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      tools.send(domain + ".enable", Map.of());
    }
  }

  /** Where this machine has one. */
  static Optional<Path> find() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Starts one.
   *
   * @param folder for all that it leaves behind
   * @param flags further ones of its command line
   */
  static Browser start(Path program, Path folder, String... flags) throws IOException {
    Path profile = folder.resolve("profile");
    List<String> command =
        Stream.concat(
                Stream.of(
                    program.toString(),
                    "--headless=new",
                    "--no-sandbox", // As root there is none; it is shown nothing but our own pages.
                    "--disable-gpu",
                    "--disable-dev-shm-usage",
                    "--disable-background-networking",
                    "--no-first-run",
                    "--hide-scrollbars",
                    "--lang=en-US",
                    "--remote-debugging-port=0",
                    "--user-data-dir=" + profile),
                Stream.concat(Stream.of(flags), Stream.of("about:blank")))
            .toList();
    var builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("TMPDIR", Files.createDirectories(folder.resolve("tmp")).toString());
    Process process = builder.start();
    try {
      Path port = profile.resolve("DevToolsActivePort");
      await().until(() -> Files.readAllLines(port).size() > 1); // Else the number may be cut.
      int number = Integer.parseInt(Files.readAllLines(port).getFirst());
      return new Browser(process, new DevTools(awaitTab(number)));
    } catch (IOException | RuntimeException e) {
      kill(process);
      throw e;
    }
  }

  private static URI awaitTab(int port) {
    URI list = URI.create("http://127.0.0.1:" + port + "/json/list");
    try (HttpClient http = HttpClient.newHttpClient()) {
      return await()
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(() -> tab(http, list), Optional::isPresent)
          .orElseThrow();
    }
  }

  private static Optional<URI> tab(HttpClient http, URI list)
      throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(list).build();
    Matcher socket = SOCKET.matcher(http.send(request, BodyHandlers.ofString()).body());
    return socket.find() ? Optional.of(URI.create(socket.group(1))) : Optional.empty();
  }

  private void hear(Map<String, Object> event) {
    Map<String, Object> what = DevTools.map(event.get("params"));
    switch (String.valueOf(event.get("method"))) {
      case "Runtime.exceptionThrown" -> complaints.add(what.toString());
      case "Log.entryAdded" -> {
        Map<String, Object> entry = DevTools.map(what.get("entry"));
        if (!"network"
            .equals(entry.get("source"))) { // A node that is gone is not our page's fault.
          complaints.add(entry.toString());
        }
      }
      case "Network.loadingFailed" -> {
        if (String.valueOf(what.get("errorText")).equals(NETWORK_CHANGED)) {
          networkChanges.incrementAndGet();
        }
      }
      case "Network.requestWillBeSent" ->
          requests.add(String.valueOf(DevTools.map(what.get("request")).get("url")));
      default -> {}
    }
  }

  /** Errors of scripts, and what the page's policy forbade. */
  List<String> complaints() {
    return complaints;
  }

  /** The addresses that were asked for since the browser was started. */
  List<String> requests() {
    return requests;
  }

  /**
   * Opens a page, once more each time that a part of it was given up because an address of this
   * machine had come or gone: a container that is started elsewhere is no fault of the page.
   */
  void open(String address) throws IOException {
    int before;
    do {
      before = networkChanges.get();
      evaluate("window.isLeft = true"); // The page before may be asked for a while yet.
      tools.send("Page.navigate", Map.of("url", address));
      awaitTrue("!window.isLeft && document.readyState === 'complete'");
    } while (networkChanges.get() != before);
  }

  /** The value of an expression; of a promise, what it comes to. */
  @Nullable Object evaluate(String expression) throws IOException {
    return evaluate(expression, Program.LONG);
  }

  private @Nullable Object evaluate(String expression, Duration longest) throws IOException {
    Map<String, Object> answer =
        tools.send(
            "Runtime.evaluate",
            Map.of("expression", expression, "awaitPromise", true, "returnByValue", true),
            longest);
    if (answer.containsKey("exceptionDetails")) {
      throw new AssertionError(expression + ": " + answer.get("exceptionDetails"));
    }
    return DevTools.map(answer.get("result")).get("value");
  }

  /** The value of an expression, as text. */
  String word(String expression) throws IOException {
    return String.valueOf(evaluate(expression));
  }

  /** What the elements show that a selector finds, each on a line of its own. */
  String text(String selector) throws IOException {
    return String.valueOf(
        evaluate(
            "[...document.querySelectorAll('%s')].map(e => e.innerText).join('\\n')"
                .formatted(selector)));
  }

  double number(String expression) throws IOException {
    Object value = evaluate(expression);
    if (value instanceof Double number) {
      return number;
    }
    throw new AssertionError("expected a number from " + expression + ", found " + value);
  }

  /**
   * Waits until an expression is true; fails with what the page shows. One that fails, as for lack
   * of an element, is not true yet.
   */
  void awaitTrue(String expression) throws IOException {
    String truth =
        "(() => { try { return Boolean(%s); } catch { return false; } })()".formatted(expression);
    try {
      await()
          .pollInterval(Duration.ofMillis(50))
          .until(() -> Boolean.TRUE.equals(evaluate(truth, LOST)));
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          "expected %s, found this page:%n%s%n%s".formatted(expression, text("body"), complaints),
          e);
    }
  }

  /** Waits until an element shows a text. */
  void awaitText(String selector, String text) throws IOException {
    awaitTrue(
        "[...document.querySelectorAll('%s')].some(e => e.innerText.includes(%s))"
            .formatted(selector, DevTools.text(text)));
  }

  /** Clicks an element, and nothing else, once it is in sight and stays where it is. */
  void click(String selector) {
    new Click(this, selector).make();
  }

  private double[] middle(String selector) throws IOException {
    String box = "document.querySelector('%s').getBoundingClientRect()".formatted(selector);
    return new double[] {
      number("(b => b.x + b.width / 2)(%s)".formatted(box)),
      number("(b => b.y + b.height / 2)(%s)".formatted(box))
    };
  }

  /** Presses the button at one part of an element's width, and lets it go at another. */
  void drag(String selector, double from, double to) throws IOException {
    String box = "document.querySelector('%s').getBoundingClientRect()".formatted(selector);
    double left = number(box + ".x");
    double width = number(box + ".width");
    double y = middle(selector)[1];
    mouse("mouseMoved", left + from * width, y);
    mouse("mousePressed", left + from * width, y);
    mouse("mouseMoved", left + (from + to) / 2 * width, y);
    mouse("mouseMoved", left + to * width, y);
    mouse("mouseReleased", left + to * width, y);
  }

  void mouse(String type, double x, double y) throws IOException {
    String button = type.equals("mouseMoved") ? "none" : "left";
    tools.send(
        "Input.dispatchMouseEvent",
        Map.of("type", type, "x", x, "y", y, "button", button, "clickCount", 1));
  }

  /** Turns the wheel over an element. */
  void wheel(String selector, double pixels) throws IOException {
    double[] at = middle(selector);
    tools.send(
        "Input.dispatchMouseEvent",
        Map.of("type", "mouseWheel", "x", at[0], "y", at[1], "deltaX", 0, "deltaY", pixels));
  }

  /** Presses keys one after the other: characters, or names such as {@code Enter}. */
  void press(String... keys) throws IOException {
    for (String key : keys) {
      Map<String, Object> down = new HashMap<>(Map.of("type", "keyDown", "key", key));
      if (key.length() == 1) {
        down.put("text", key);
      } else {
        down.put("windowsVirtualKeyCode", KEY_CODES.getOrDefault(key, 0));
        if (key.equals("Enter")) {
          down.put("text", "\r");
        }
      }
      tools.send("Input.dispatchKeyEvent", down);
      tools.send("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key));
    }
  }

  /** Types a text into what has the focus, in place of what is there. */
  void type(String text) throws IOException {
    evaluate("document.activeElement.select()");
    tools.send("Input.insertText", Map.of("text", text));
  }

  void resize(int width, int height) throws IOException {
    resize(width, height, false);
  }

  /** Becomes a phone, over which nothing hovers. */
  void becomePhone() throws IOException {
    resize(390, 760, true);
  }

  private void resize(int width, int height, boolean isPhone) throws IOException {
    tools.send(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", isPhone));
  }

  /** As the system of a person may say it: {@code light} or {@code dark}. */
  void prefer(String scheme) throws IOException {
    tools.send(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  /** The zone that the browser takes for that of its machine. */
  void zone(String name) throws IOException {
    tools.send("Emulation.setTimezoneOverride", Map.of("timezoneId", name));
  }

  byte[] screenshot() throws IOException {
    Object data = tools.send("Page.captureScreenshot", Map.of("format", "png")).get("data");
    return Base64.getDecoder().decode(String.valueOf(data));
  }

  @Override
  public void close() {
    tools.close();
    kill(process);
  }

  private static void kill(Process process) {
    ProcessHandle[] all =
        Stream.concat(process.descendants(), Stream.of(process.toHandle()))
            .toArray(ProcessHandle[]::new);
    Arrays.stream(all).forEach(ProcessHandle::destroyForcibly);
    Arrays.stream(all).forEach(handle -> handle.onExit().join());
  }
}
