package io.cordwood.common.tls;

import io.cordwood.common.file.WatchedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;

/** The files of a node's TLS. */
record TlsFolder(Path path) {
  /**
   * The contents of the files.
   *
   * @param authorities that are trusted
   */
  record Contents(Credentials credentials, List<X509Certificate> authorities) {}

  Path authorities() {
    return path.resolve("ca.pem");
  }

  Path certificate() {
    return path.resolve("node.pem");
  }

  Path key() {
    return path.resolve("node.key");
  }

  /**
   * Reads all.
   *
   * @throws IOException naming the file that is missing, wrong, or does not belong to the others
   */
  Contents read() throws IOException {
    List<X509Certificate> authorities = PemFiles.certificates(authorities());
    return new Contents(Credentials.read(certificate(), key()), authorities);
  }

  WatchedFiles watched() {
    return new WatchedFiles(authorities(), certificate(), key());
  }
}
