package io.cordwood.common.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which handler gets which path. */
class RoutesTest {
  private final Routes routes = new Routes();

  @BeforeEach
  void add() {
    for (String path : new String[] {"/a", "/{}/_bulk", "/a/*", "/a/b/*", "/a/b/c/d/*"}) {
      routes.on("PUT", path, Params.ANY, 1, (_, _) -> {});
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/a, /a",
    "/x/_bulk, /{}/_bulk",
    "/a/_bulk, /{}/_bulk",
    "/a/, /a/*",
    "/a/x/y/z, /a/*",
    "/a/b, /a/*",
    "/a/b/, /a/b/*",
    "/a/b/c/d/e/f, /a/b/*",
    "/b, none",
    "/, none",
    "/ab/c, none",
    "/x/_bulk/y, none",
  })
  void theExactPathComesFirstThenTheNearestAbove(String path, String route) {
    assertThat(routes.find("PUT", path).label()).isEqualTo(route);
  }

  @Test
  void otherMethodsAreRefusedBelowToo() {
    assertThat(routes.find("GET", "/a/x")).isInstanceOf(Routes.WrongMethod.class);
  }
}
