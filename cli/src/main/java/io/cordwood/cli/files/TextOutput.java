package io.cordwood.cli.files;

import io.cordwood.cli.records.RecordPrinter;
import java.io.IOException;
import java.util.Map;

/**
 * Lines as grep has them: {@code name:12:a match}, {@code name-13-its context}, with as much of
 * that as the label says.
 */
record TextOutput(LineLabel label, String name, RecordPrinter matches, RecordPrinter context)
    implements FileOutput {
  @Override
  public void match(long number, byte[] bytes, int from, int to) throws IOException {
    if (matches.showsFields()) {
      matches.know(Map.of("file", name));
    }
    matches.print(label.before(name, number, ':'), bytes, from, to);
  }

  @Override
  public void context(long number, byte[] bytes, int from, int to) throws IOException {
    context.print(label.before(name, number, '-'), bytes, from, to);
  }

  @Override
  public void separator() throws IOException {
    matches.separator();
  }
}
