package io.cordwood.it;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A click on an element as a person makes one: once it is in sight and stays where it is, and not
 * on what has come into its place meanwhile. A page that lays out an answer between two looks of a
 * test would have it click something else.
 */
final class Click {
  /**
   * Finds the middle of the element to press, after two frames in which it did not move and with
   * nothing over it; or why not yet. From then on what the mouse hits is kept from the page unless
   * it is the element.
   */
  private static final String AIM =
      """
      (selector => new Promise(done => {
        const element = document.querySelector(selector);
        if (!element) return done("it is not there");
        element.scrollIntoViewIfNeeded();
        const place = () => {
          const box = element.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2, box.width, box.height];
        };
        const isHit = other =>
          element.contains(other) || element.control?.contains(other)
          || other.closest?.("label")?.control === element;
        const before = place();
        requestAnimationFrame(() => requestAnimationFrame(() => {
          const [x, y, ...size] = place();
          const above = document.elementFromPoint(x, y);
          if (String(before) !== String([x, y, ...size])) return done("it moves");
          if (!above || !isHit(above)) return done("over it is " + (above?.outerHTML ?? "nothing"));
          const names = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"];
          const click = { hits: false };
          const guard = event => {
            if (click.hits) return;
            if (isHit(event.target)) click.hits = event.type === "click";
            else {
              event.preventDefault();
              event.stopImmediatePropagation();
            }
          };
          names.forEach(name => addEventListener(name, guard, true));
          click.end = () => names.forEach(name => removeEventListener(name, guard, true));
          window.clickOfATest = click;
          done([x, y]);
        }));
      }))\
      """;

  /** Whether the page has had it; one that leads to another page takes this with it. */
  private static final String END =
      """
      (click => {
        if (!click) return true;
        delete window.clickOfATest;
        click.end();
        return click.hits;
      })(window.clickOfATest)\
      """;

  private final Browser browser;
  private final String aim;
  private @Nullable Object found;

  Click(Browser browser, String selector) {
    this.browser = browser;
    this.aim = "%s(%s)".formatted(AIM, DevTools.text(selector));
  }

  /** Waits until the element was hit. */
  void make() {
    try {
      await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(20)).until(this::hits);
    } catch (ConditionTimeoutException e) {
      throw new AssertionError("expected to hit what is aimed at, found " + found + ": " + aim, e);
    }
  }

  private boolean hits() throws IOException {
    found = browser.evaluate(aim);
    if (!(found instanceof List<?> at)
        || !(at.get(0) instanceof Double x && at.get(1) instanceof Double y)) {
      return false;
    }
    browser.mouse("mouseMoved", x, y);
    browser.mouse("mousePressed", x, y);
    browser.mouse("mouseReleased", x, y);
    return Boolean.TRUE.equals(browser.evaluate(END));
  }
}
