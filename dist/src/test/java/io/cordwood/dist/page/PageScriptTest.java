package io.cordwood.dist.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Modules that are joined to one script; that it runs, the tests of the page in a browser show. */
final class PageScriptTest {
  @Test
  void eachModuleIsThereOnceAfterThoseThatItImports() {
    var modules =
        Map.of(
            "a.js",
            """
            import { b, other as c } from "./b.js";
            import * as all from "./c.js";
            b(c, all.d);
            """,
            "b.js",
            """
            import { d } from "./c.js";
            export function b() {
            }
            export { d as other } from "./c.js";
            """,
            "c.js",
            """
            export const d = [
              1];
            """);
    assertThat(PageScript.of("a.js", name -> modules.getOrDefault(name, "")))
        .isEqualTo(
            """
            // c.js
            const module_c = (() => {
            const d = [
              1];
            return { d: d };
            })();

            // b.js
            const module_b = (() => {
            const { d } = module_c;
            function b() {
            }

            return { b: b, other: module_c.d };
            })();

            // a.js
            const module_a = (() => {
            const { b, other: c } = module_b;
            const all = module_c;
            b(c, all.d);
            return {  };
            })();
            """);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "export default 1;",
        "export let a = 1;",
        "import a from \"./a.js\";",
        "import { a } from 'a.js';",
        "export { a };"
      })
  void otherFormsAreAnError(String line) {
    assertThatIllegalStateException()
        .isThrownBy(() -> PageScript.of("a.js", _ -> line))
        .withMessageContaining("a.js: " + line);
  }

  @Test
  void circleIsAnError() {
    var modules =
        Map.of("a.js", "import { b } from \"./b.js\";", "b.js", "import { a } from \"./a.js\";");
    assertThatIllegalStateException()
        .isThrownBy(() -> PageScript.of("a.js", name -> modules.getOrDefault(name, "")))
        .withMessage("a.js imports itself, by way of others");
  }
}
