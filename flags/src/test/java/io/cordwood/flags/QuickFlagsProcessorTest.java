package io.cordwood.flags;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What it writes for the commands that there are is compared with picocli where these are. */
final class QuickFlagsProcessorTest {
  private static final JavaFileObject FLAGS =
      source(
          "io/cordwood/cli/program/QuickFlags",
          """
          package io.cordwood.cli.program;
          public interface QuickFlags {
            Object holder();
            default java.util.List<QuickFlags> mixins() { return java.util.List.of(); }
            default java.util.List<FlagValue> values() { return java.util.List.of(); }
            default boolean take(String flag) { return false; }
            default boolean take(String flag, String value) { return false; }
          }
          """);

  private static final JavaFileObject VALUE =
      source(
          "io/cordwood/cli/program/FlagValue",
          "package io.cordwood.cli.program;"
              + " public record FlagValue(String flag, Object value, boolean isSize) {}");

  private static final JavaFileObject COMMAND =
      source(
          "io/cordwood/cli/program/QuickCommand",
          "package io.cordwood.cli.program; public interface QuickCommand {}");

  @TempDir Path folder;

  private static JavaFileObject source(String name, String text) {
    return new SimpleJavaFileObject(
        URI.create("memory:/" + name + ".java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }
    };
  }

  /** The compiler's errors on a command with these members. */
  private List<String> errors(String members) throws IOException {
    JavaFileObject command =
        source(
            "example/Command",
            """
            package example;
            import picocli.CommandLine.*;
            final class Command implements io.cordwood.cli.program.QuickCommand {
            %s
            }
            """
                .formatted(members));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    var found = new DiagnosticCollector<JavaFileObject>();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(found, null, null)) {
      files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(folder));
      List<JavaFileObject> sources = List.of(FLAGS, VALUE, COMMAND, command);
      var task = compiler.getTask(null, files, found, null, null, sources);
      task.setProcessors(List.of(new QuickFlagsProcessor()));
      boolean compiled = task.call();
      List<String> errors =
          found.getDiagnostics().stream()
              .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
              .map(each -> each.getLineNumber() + ": " + each.getMessage(Locale.ROOT))
              .toList();
      assertThat(compiled).as("%s", errors).isEqualTo(errors.isEmpty());
      return errors;
    }
  }

  @Test
  void writesAClassForACommandAndForEachOfItsMixins() throws IOException {
    String members =
        """
        @Option(names = {"-v", "--verbose"}) boolean verbose;
        @Mixin Inner inner = new Inner();
        static class Inner extends Outer {
          @Option(names = "--text") String text;
        }
        static class Outer {
          @Option(names = "--list", split = ",") java.util.List<String> list;
        }
        """;

    assertThat(errors(members)).isEmpty();
    assertThat(folder.resolve("example"))
        .isDirectoryContaining("glob:**/QuickCommand.class")
        .isDirectoryContaining("glob:**/QuickCommandInner.class")
        .isDirectoryContaining("glob:**/QuickCommandOuter.class");
  }

  @Test
  void hiddenFlagsOfAnyKindAreLeftToPicocli() throws IOException {
    assertThat(errors("@Option(names = \"--secret\", hidden = true) private Object secret;"))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "@Option(names = \"--number\") private int number;"
            + "| expected @Option on a field that is not private, found [private]",
        "@Option(names = \"--number\") void set(int number) {}"
            + "| expected @Option on a field that is not private, found []",
        "@Option(names = \"--at\") java.time.Instant at;"
            + "| expected @Option with a converter, or of a type that is known,"
            + " found java.time.Instant",
        "@Mixin private Command more;| expected @Mixin on a field that is not private",
      })
  void whatItCannotSetIsAnErrorAtThatPlace(String member, String message) throws IOException {
    assertThat(errors("\n" + member)).contains("5: " + message.strip());
  }
}
