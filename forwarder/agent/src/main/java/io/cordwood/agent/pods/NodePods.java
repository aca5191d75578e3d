package io.cordwood.agent.pods;

import io.cordwood.cli.kubernetes.ApiServer;
import io.cordwood.common.json.JsonFound;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * The pods of one node, kept up to date by a thread of its own: a list, then a watch from where the
 * list ended. A watch that breaks goes on from the last version; if that is too old, all is listed
 * again. While the server cannot be asked, what is known stays. Memory is bounded, whatever it
 * sends.
 */
public final class NodePods implements AutoCloseable {
  private static final int PAGE_PODS = 500;

  /** Pages of a list; a server that names one more for ever is not followed. */
  private static final int MOST_PAGES = 1000;

  private static final long MOST_PAGE_BYTES = 512L << 20;

  /** The server ends a watch after this. */
  private static final Duration WATCH = Duration.ofMinutes(5);

  /** Bookmarks come about once a minute. */
  private static final Duration SILENCE = WATCH.plusMinutes(1);

  private static final Duration LIST_SILENCE = Duration.ofSeconds(30);

  /** Failures in turn after which all is listed again. */
  private static final int MOST_RESUMES = 3;

  private static final int MOST_SAID_CHARS = 200;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(1 << 20).maxNestingDepth(100).build())
          .build();

  private final ApiServer server;
  private final String selector;
  private final String node;
  private final Pause pause;
  private final Consumer<String> says;
  private final PodTable table = new PodTable();
  private final LongAdder failures = new LongAdder();
  private final LongAdder lists = new LongAdder();
  private final CountDownLatch listed = new CountDownLatch(1);
  private final CountDownLatch stop = new CountDownLatch(1);

  private volatile ApiServer.@Nullable Answer open;
  private String version = "";
  private String said = "";

  /**
   * The time between two requests.
   *
   * @param most after failures in turn, each of which doubles it
   */
  record Pause(Duration first, Duration most) {
    static final Pause USUAL = new Pause(Duration.ofSeconds(1), Duration.ofSeconds(30));

    long nanos(int failures) {
      return Math.min(first.toNanos() << Math.min(failures, 16), most.toNanos());
    }
  }

  NodePods(ApiServer server, String node, Pause pause, Consumer<String> says) {
    this.server = server;
    this.node = node;
    this.selector =
        "fieldSelector="
            + URLEncoder.encode("spec.nodeName=" + node, StandardCharsets.UTF_8)
            + "&limit="
            + PAGE_PODS;
    this.pause = pause;
    this.says = says;
  }

  /**
   * Begins to ask.
   *
   * @param node whose pods are wanted
   * @param says hears why the server cannot be asked, once for each reason, on another thread
   */
  public static NodePods start(ApiServer server, String node, Consumer<String> says) {
    return start(server, node, Pause.USUAL, says);
  }

  static NodePods start(ApiServer server, String node, Pause pause, Consumer<String> says) {
    var pods = new NodePods(server, node, pause, says);
    Thread.ofPlatform().daemon().name("pods").start(pods::run);
    return pods;
  }

  /** A pod of the node, or one that was there a few minutes ago; null if it is not known. */
  public @Nullable Pod get(String uid) {
    return table.get(uid);
  }

  /** Grows with each change of what is known. */
  public long changes() {
    return table.changes();
  }

  /** Waits for the first list; false if it is not there by then. */
  public boolean await(Duration longest) throws InterruptedException {
    return listed.await(longest.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Its figures, as further members of a JSON object. */
  public String json() {
    return ",\"pods\":%d,\"pods_ignored\":%d,\"pod_lists\":%d,\"pod_failures\":%d"
        .formatted(table.size(), table.ignored(), lists.sum(), failures.sum());
  }

  private void run() {
    int inTurn = 0;
    boolean isOver = false;
    while (!isOver) {
      try {
        if (version.isEmpty()) {
          list();
          inTurn = 0;
        }
        watch();
        inTurn = 0;
      } catch (IOException | JacksonException e) {
        inTurn++;
        failed(e, inTurn);
      }
      isOver = waited(pause.nanos(inTurn));
    }
  }

  private boolean waited(long nanos) {
    try {
      return stop.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      return true;
    }
  }

  private void failed(Exception e, int inTurn) {
    if (stop.getCount() == 0) {
      return;
    }
    failures.increment();
    boolean isGone = e instanceof StatusException status && status.isGone();
    if (isGone || inTurn >= MOST_RESUMES) {
      version = "";
    }
    String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    String cut = reason.substring(0, Math.min(reason.length(), MOST_SAID_CHARS));
    String line = server.base() + ": the pods of " + node + " cannot be asked for: " + cut;
    if (!isGone && !line.equals(said)) {
      said = line;
      says.accept(line + "; lines go on with the labels that are known");
    }
  }

  /** An answer that is none. */
  private static final class StatusException extends IOException {
    private static final long serialVersionUID = 1;

    private final int code;

    StatusException(int code, String message) {
      super("expected status 200, found " + code + (message.isEmpty() ? "" : ": " + message));
      this.code = code;
    }

    boolean isGone() {
      return code == HttpURLConnection.HTTP_GONE;
    }
  }

  /** Opens an answer; the thread that closes this object ends it. */
  private ApiServer.Answer open(String query, Duration silence) throws IOException {
    ApiServer.Answer answer = server.get("/api/v1/pods?" + selector + query, silence);
    open = answer;
    if (stop.getCount() == 0) {
      answer.close();
    }
    if (answer.status() != HttpURLConnection.HTTP_OK) {
      String message;
      try (answer;
          JsonParser parser =
              FACTORY.createParser(ObjectReadContext.empty(), answer.body().readNBytes(1 << 14))) {
        message =
            parser.nextToken() == JsonToken.START_OBJECT ? PodObject.read(parser).message : "";
      } catch (JacksonException e) {
        message = "";
      }
      throw new StatusException(answer.status(), message);
    }
    return answer;
  }

  private static String parameter(String name, String value) {
    return "&" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  private void list() throws IOException {
    Set<String> uids = new HashSet<>();
    String next = "";
    var page = new Page();
    for (int i = 0; i == 0 || !next.isEmpty(); i++) {
      if (i == MOST_PAGES) {
        throw new IOException("expected at most " + MOST_PAGES + " pages of a list, found more");
      }
      String query = next.isEmpty() ? "" : parameter("continue", next);
      try (ApiServer.Answer answer = open(query, LIST_SILENCE);
          JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), answer.body())) {
        page = new Page();
        page.read(parser, uids);
      }
      next = page.next;
    }
    if (page.version.isEmpty()) {
      throw new IOException("expected a list with a resourceVersion, found none");
    }
    table.keep(uids);
    version = page.version;
    said = "";
    lists.increment();
    listed.countDown();
  }

  private void put(PodObject object, Set<String> uids) {
    if (object.isPod() && object.node.equals(node)) {
      Pod pod = object.pod();
      table.put(pod);
      if (uids.size() < PodTable.MOST_PODS) {
        uids.add(pod.uid());
      }
    } else {
      table.ignore();
    }
  }

  /** One answer to a list. */
  private final class Page {
    String version = "";
    String next = "";

    void read(JsonParser parser, Set<String> uids) throws IOException {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("expected a list in JSON, found " + JsonFound.at(parser));
      }
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        if (name.equals("metadata") && value == JsonToken.START_OBJECT) {
          readMetadata(parser);
        } else if (name.equals("items") && value == JsonToken.START_ARRAY) {
          while (parser.nextToken() == JsonToken.START_OBJECT) {
            put(PodObject.read(parser), uids);
            checkLength(parser);
          }
        } else {
          parser.skipChildren();
        }
      }
    }

    private void readMetadata(JsonParser parser) {
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = parser.currentName();
        boolean isText = parser.nextToken() == JsonToken.VALUE_STRING;
        if (isText && name.equals("resourceVersion")) {
          version = parser.getString();
        } else if (isText && name.equals("continue")) {
          next = parser.getString();
        } else {
          parser.skipChildren();
        }
      }
    }

    private static void checkLength(JsonParser parser) throws IOException {
      if (parser.currentLocation().getByteOffset() > MOST_PAGE_BYTES) {
        throw new IOException("expected a list of at most 512 MiB, found more");
      }
    }
  }

  /** Follows changes until the server ends that. */
  private void watch() throws IOException {
    String query =
        "&watch=1&allowWatchBookmarks=true"
            + parameter("resourceVersion", version)
            + parameter("timeoutSeconds", Long.toString(WATCH.toSeconds()));
    try (ApiServer.Answer answer = open(query, SILENCE);
        JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), answer.body())) {
      while (parser.nextToken() == JsonToken.START_OBJECT) {
        String type = "";
        var object = new PodObject();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
          String name = parser.currentName();
          JsonToken value = parser.nextToken();
          if (name.equals("type") && value == JsonToken.VALUE_STRING) {
            type = parser.getString();
          } else if (name.equals("object") && value == JsonToken.START_OBJECT) {
            object = PodObject.read(parser);
          } else {
            parser.skipChildren();
          }
        }
        changed(type, object);
      }
    }
  }

  private void changed(String type, PodObject object) throws IOException {
    switch (type) {
      case "ADDED", "MODIFIED" -> put(object, new HashSet<>());
      case "DELETED" -> table.remove(object.pod().uid());
      case "BOOKMARK" -> {}
      case "ERROR" -> throw new StatusException(object.code, object.message);
      default -> throw new IOException("expected an event of a watch, found '" + type + "'");
    }
    version = object.version.isEmpty() ? version : object.version;
  }

  /** Asks no more. */
  @Override
  public void close() {
    stop.countDown();
    ApiServer.Answer answer = open;
    if (answer != null) {
      answer.close();
    }
  }
}
