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

  private String found(String path) {
    return routes.find("GET", path).label();
  }

  @Test
  void oneSegmentOfAPathMayBeAnyAndAnExactPathCountsFirst() {
    Handler none = (_, _) -> {};
    routes.get("/{}/_bulk", none);
    routes.get("/v1/label/{}/values", none);
    routes.get("/v1/label/exact/values", none);
    routes.get("/v1/item/{}", none);
    assertThat(found("/logs/_bulk")).isEqualTo("/{}/_bulk");
    assertThat(found("/v1/label/app/values")).isEqualTo("/v1/label/{}/values");
    assertThat(found("/v1/label/exact/values")).isEqualTo("/v1/label/exact/values");
    assertThat(found("/v1/item/7")).isEqualTo("/v1/item/{}");
    assertThat(found("/v1/label/a/b/values")).isEqualTo("none");
    assertThat(found("/v1/label/values")).isEqualTo("none");
    assertThat(found("/v1/label/app/values/")).isEqualTo("none");
    assertThat(found("_bulk")).isEqualTo("none");
    assertThat(found("")).isEqualTo("none");
  }
}
