package io.cordwood.common.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
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

  /** A mark that differs once a file was changed. */
  record Stamp(FileTime time, long bytes, String file) {
    static Stamp of(Path path) throws IOException {
      try {
        var read = Files.readAttributes(path, BasicFileAttributes.class);
        return new Stamp(read.lastModifiedTime(), read.size(), String.valueOf(read.fileKey()));
      } catch (NoSuchFileException e) {
        throw new IOException("expected a file " + path + ", found none", e);
      }
    }
  }

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

  List<Stamp> stamps() throws IOException {
    return List.of(Stamp.of(authorities()), Stamp.of(certificate()), Stamp.of(key()));
  }
}
