package io.cordwood.cli.token;

import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.common.access.Token;
import io.cordwood.common.access.TokenFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Which file of tokens. */
final class FileFlag implements Flags {
  private Path file = Path.of("tokens");

  @Override
  public void list(FlagList list) {
    list.flag("--file", "--tokens")
        .label("FILE")
        .help("The file of tokens. Default: ${DEFAULT-VALUE}, in this folder.")
        .value(Path.class, file, value -> file = value);
  }

  Path file() {
    return file;
  }

  List<Token> read() throws IOException {
    return TokenFile.read(file).tokens();
  }
}
