package io.cordwood.cli.token;

import io.cordwood.common.access.Token;
import io.cordwood.common.access.TokenFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** Which file of tokens. */
final class FileFlag {
  @Option(
      names = {"--file", "--tokens"},
      paramLabel = "FILE",
      description = "The file of tokens. Default: ${DEFAULT-VALUE}, in this folder.")
  private Path file = Path.of("tokens");

  Path file() {
    return file;
  }

  List<Token> read() throws IOException {
    return TokenFile.read(file).tokens();
  }
}
