package io.cordwood.cli.secret;

import io.cordwood.common.access.Scope;
import io.cordwood.common.access.Token;
import io.cordwood.common.access.TokenFile;
import io.cordwood.common.access.TokenText;
import io.cordwood.common.access.TopicPatterns;
import io.cordwood.common.ca.Authority;
import io.cordwood.common.ca.CertificateFolder;
import io.cordwood.common.ca.Validity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** New files for a cluster: an authority, one certificate for all nodes, two tokens. */
final class NodeFiles {
  static final String FORWARDER_TOKEN = "forwarder.token";
  static final String ADMIN_TOKEN = "admin.token";
  static final String TOKENS = "tokens";
  private static final int AUTHORITY_DAYS = 3650;

  private NodeFiles() {}

  /**
   * Makes them, in memory and for a moment in the folder for temporary files.
   *
   * @param names by which nodes are reached
   * @return texts by the names of files
   * @throws IllegalArgumentException if a name is no host's
   */
  static Map<String, String> create(List<String> names, int days) throws IOException {
    Path folder = Files.createTempDirectory("cordwood");
    try {
      Authority authority =
          Authority.create("Cordwood authority", Validity.forDays(AUTHORITY_DAYS));
      CertificateFolder.writeAuthority(folder, authority, false);
      CertificateFolder.writeNode(
          folder, authority, authority.node(names, Validity.forDays(days)), true);
      String forwarder = TokenText.random();
      String admin = TokenText.random();
      TokenFile.write(
          folder.resolve(TOKENS),
          List.of(
              token("forwarder", forwarder, Set.of(Scope.INGEST)),
              token("admin", admin, Set.of(Scope.values()))));
      Map<String, String> files = read(folder);
      files.put(FORWARDER_TOKEN, forwarder);
      files.put(ADMIN_TOKEN, admin);
      return files;
    } finally {
      delete(folder);
    }
  }

  private static Token token(String name, String text, Set<Scope> scopes) {
    return Token.of(name, text, scopes, TopicPatterns.ALL);
  }

  private static List<Path> in(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  private static Map<String, String> read(Path folder) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    for (Path file : in(folder)) {
      texts.put(file.getFileName().toString(), Files.readString(file, StandardCharsets.US_ASCII));
    }
    return texts;
  }

  private static void delete(Path folder) throws IOException {
    for (Path file : in(folder)) {
      Files.delete(file);
    }
    Files.delete(folder);
  }
}
