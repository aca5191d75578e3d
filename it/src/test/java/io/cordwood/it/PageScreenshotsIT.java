package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writes the pictures of {@code docs/page.md} anew: {@code -Dcordwood.screenshots=true}. What the
 * page does is tried by {@link PageIT}.
 */
@EnabledIfSystemProperty(named = "cordwood.screenshots", matches = "true")
final class PageScreenshotsIT {
  private static final Path PICTURES = Path.of("../docs/page");
  private static final int MINUTES = 60;
  private static final int PODS = 3;
  private static final int MAX_COLOURS = 256;

  @TempDir private Path folder;

  private final SplittableRandom random = new SplittableRandom(4);

  @Test
  void picturesAreWritten() throws IOException {
    try (NodeProcess node = NodeProcess.start(folder.resolve("node"));
        Browser browser = Browser.start(Browser.find().orElseThrow(), folder.resolve("browser"))) {
      int records = 0;
      for (int minute = MINUTES; minute > 0; minute--) {
        for (int pod = 0; pod < PODS; pod++) {
          List<String> lines = lines(minute);
          node.send(Sender.batch(pod(pod), Duration.ofSeconds(-60L * minute + pod), lines));
          records += lines.size();
        }
      }
      node.awaitRecords(records);
      String page = "http://localhost:" + node.apiPort() + "/";
      browser.resize(1200, 720);
      browser.open(page + "?q=order&from=2h&split=level&labels=pod");
      browser.awaitText("#badge", "complete");
      browser.awaitText(".legend", "error");
      browser.press("f");
      browser.awaitText("#panel-content", "@pod");
      browser.evaluate(
          "[...document.querySelectorAll('.item')].find(e =>"
              + " e.innerText.includes('order placed') && e.getBoundingClientRect().top >"
              + " 240).click()");
      browser.awaitTrue("document.querySelector('.detail')");
      browser.evaluate("document.activeElement.blur()");
      write(browser, "records-light.png");
      browser.prefer("dark");
      browser.open(page + "?live=true&labels=pod");
      browser.awaitTrue("document.getElementById('live').className === 'live'");
      browser.wheel("#list", -300);
      node.send(Sender.batch(pod(0), lines(0)));
      browser.awaitText("#pill", "new");
      browser.click("#panel-shapes");
      browser.awaitText("#panel-content", "timeout after");
      write(browser, "tail-dark.png");
      browser.prefer("light");
      browser.resize(1200, 420);
      browser.open(page + "?view=cluster");
      browser.awaitText("#cluster", "balances");
      write(browser, "cluster.png");
      browser.resize(360, 640);
      browser.open(page + "?q=error&ignore_case=true");
      browser.awaitText("#badge", "complete");
      write(browser, "phone.png");
    }
  }

  private static Origin pod(int number) {
    String name = "web-7d9f8c-" + List.of("x2kqp", "8vj4m", "t5rzn").get(number);
    return new Origin("shop", Labels.of(Map.of("pod", name, "namespace", "prod")));
  }

  private List<String> lines(int minute) {
    List<String> lines = new ArrayList<>();
    int many = 7 + random.nextInt(10) + (minute > 20 && minute < 26 ? 30 : 0);
    for (int i = 0; i < many; i++) {
      lines.add(line(i));
    }
    return lines;
  }

  private String line(int i) {
    String level = random.nextInt(12) == 0 ? "error" : random.nextInt(8) == 0 ? "warn" : "info";
    return switch (random.nextInt(4)) {
      case 0 ->
          """
          {"level":"%s","msg":"%s","user":"%s","order":%d,"http":{"status":%d,"ms":%d}}\
          """
              .formatted(
                  level,
                  of("order placed", "order paid", "order refused"),
                  of("ada", "grace", "linus", "barbara"),
                  10_000 + random.nextInt(90_000),
                  level.equals("error") ? 500 : 200,
                  random.nextInt(400));
      case 1 ->
          "level=%s msg=\"%s\" path=/orders/%d dur=%dms"
              .formatted(
                  level, of("served", "cache miss"), random.nextInt(999), random.nextInt(90));
      case 2 ->
          "%s [worker-%d] %s"
              .formatted(
                  level.toUpperCase(Locale.ROOT),
                  random.nextInt(8),
                  level.equals("error")
                      ? "timeout after 30 s, attempt " + random.nextInt(4)
                      : "flushed " + random.nextInt(9000) + " rows of orders");
      default -> "\u001b[32mok\u001b[0m step %d of \u001b[1morder-import\u001b[0m".formatted(i);
    };
  }

  private String of(String... texts) {
    return texts[random.nextInt(texts.length)];
  }

  private static void write(Browser browser, String name) throws IOException {
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(browser.screenshot()));
    assertThat(ImageIO.write(withFewColours(image), "png", PICTURES.resolve(name).toFile()))
        .isTrue();
  }

  /** A third of the bytes, and no difference to the eye: the page has few colours. */
  private static BufferedImage withFewColours(BufferedImage image) {
    Map<Integer, Integer> uses = new HashMap<>();
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        uses.merge(image.getRGB(x, y) & 0xfcfcfc, 1, Integer::sum);
      }
    }
    int[] most =
        uses.entrySet().stream()
            .sorted(Map.Entry.<Integer, Integer>comparingByValue(Comparator.reverseOrder()))
            .limit(MAX_COLOURS)
            .mapToInt(Map.Entry::getKey)
            .toArray();
    var palette = new IndexColorModel(8, most.length, most, 0, false, -1, DataBuffer.TYPE_BYTE);
    var small =
        new BufferedImage(
            image.getWidth(), image.getHeight(), BufferedImage.TYPE_BYTE_INDEXED, palette);
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        small.setRGB(x, y, image.getRGB(x, y));
      }
    }
    return small;
  }
}
