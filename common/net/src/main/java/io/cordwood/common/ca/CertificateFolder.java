package io.cordwood.common.ca;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Folders with certificates and keys in PEM. A new key is readable by its owner alone, from its
 * first byte on; one that is replaced keeps owner, group and mode, but is closed to all others. A
 * file appears whole or not at all.
 *
 * <pre>
 *   of an authority   ca.pem  ca.key
 *   of a node         ca.pem  node.pem    node.key      what --tls-dir takes
 *   of a client       ca.pem  client.pem  client.key
 * </pre>
 */
public final class CertificateFolder {
  public static final String AUTHORITY = "ca.pem";
  static final String AUTHORITY_KEY = "ca.key";

  private static final String BEGIN_KEY = "-----BEGIN PRIVATE KEY-----";
  private static final String END_KEY = "-----END PRIVATE KEY-----";
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> FOR_ALL =
      PosixFilePermissions.fromString("rw-r--r--");
  private static final Set<PosixFilePermission> TO_OTHERS =
      PosixFilePermissions.fromString("----w-rwx");
  private static final Base64.Encoder BASE64 = Base64.getMimeEncoder(64, new byte[] {'\n'});

  private CertificateFolder() {}

  /**
   * Writes an authority.
   *
   * @param replace whether files that are there are replaced
   * @throws FileAlreadyExistsException naming the one that is there
   */
  public static void writeAuthority(Path folder, Authority authority, boolean replace)
      throws IOException {
    makeReady(folder, List.of(AUTHORITY, AUTHORITY_KEY), replace);
    write(folder.resolve(AUTHORITY_KEY), keyText(authority.key()), OWNER_ONLY);
    write(folder.resolve(AUTHORITY), text(authority.certificate()), FOR_ALL);
  }

  /** Writes what a node's {@code --tls-dir} has; see {@link #writeAuthority}. */
  public static void writeNode(Path folder, Authority authority, Issued issued, boolean replace)
      throws IOException {
    write(folder, "node", authority, issued, replace);
  }

  /** Writes what a client is given; see {@link #writeAuthority}. */
  public static void writeClient(Path folder, Authority authority, Issued issued, boolean replace)
      throws IOException {
    write(folder, "client", authority, issued, replace);
  }

  private static void write(
      Path folder, String name, Authority authority, Issued issued, boolean replace)
      throws IOException {
    String certificate = name + ".pem";
    String key = name + ".key";
    makeReady(folder, List.of(AUTHORITY, certificate, key), replace);
    write(folder.resolve(AUTHORITY), text(authority.certificate()), FOR_ALL);
    write(folder.resolve(key), keyText(issued.key()), OWNER_ONLY);
    write(folder.resolve(certificate), text(issued.certificate()), FOR_ALL);
  }

  private static void makeReady(Path folder, List<String> names, boolean replace)
      throws IOException {
    Files.createDirectories(folder);
    for (String name : names) {
      Path file = folder.resolve(name);
      if (!replace && Files.exists(file)) {
        throw new FileAlreadyExistsException(file.toString());
      }
    }
  }

  private static void write(Path file, String text, Set<PosixFilePermission> permissions)
      throws IOException {
    Path half = file.resolveSibling(file.getFileName() + ".tmp");
    Files.deleteIfExists(half);
    FileAttribute<?> mode = PosixFilePermissions.asFileAttribute(permissions);
    try (FileChannel out =
        FileChannel.open(
            half, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), mode)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(US_ASCII));
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
    try {
      if (Files.exists(file)) {
        giveTo(ownersOf(file), half, permissions);
      }
      Files.move(half, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(half);
    }
  }

  private static PosixFileAttributes ownersOf(Path file) throws IOException {
    return Files.readAttributes(file, PosixFileAttributes.class);
  }

  /** Root renews a certificate, and a node reads it that runs as somebody else. */
  private static void giveTo(
      PosixFileAttributes before, Path half, Set<PosixFilePermission> permissions)
      throws IOException {
    var view = Files.getFileAttributeView(half, PosixFileAttributeView.class);
    PosixFileAttributes now = view.readAttributes();
    if (!now.owner().equals(before.owner()) || !now.group().equals(before.group())) {
      view.setOwner(before.owner());
      view.setGroup(before.group());
    }
    Set<PosixFilePermission> kept = new HashSet<>(before.permissions());
    if (!permissions.contains(PosixFilePermission.OTHERS_READ)) {
      kept.removeAll(TO_OTHERS);
    }
    view.setPermissions(kept);
  }

  /** A certificate in PEM. */
  public static String text(X509Certificate certificate) {
    try {
      return "-----BEGIN CERTIFICATE-----\n"
          + BASE64.encodeToString(certificate.getEncoded())
          + "\n-----END CERTIFICATE-----\n";
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String keyText(PrivateKey key) {
    return BEGIN_KEY + '\n' + BASE64.encodeToString(key.getEncoded()) + '\n' + END_KEY + '\n';
  }

  /**
   * Reads what {@link #writeAuthority} wrote.
   *
   * @throws IOException naming the file that is missing or cannot be read
   */
  public static Authority readAuthority(Path folder) throws IOException {
    Path certificate = folder.resolve(AUTHORITY);
    Path key = folder.resolve(AUTHORITY_KEY);
    try {
      Authority authority = new Authority(certificate(certificate), key(key));
      if (!isPair(authority)) {
        throw new IOException(key + ": expected the key of " + certificate + ", found another");
      }
      return authority;
    } catch (NoSuchFileException e) {
      throw new IOException(
          "expected an authority in "
              + folder
              + ", found no "
              + e.getFile()
              + "; 'cordwood ca"
              + " init' makes one",
          e);
    }
  }

  private static boolean isPair(Authority authority) {
    byte[] any = {1};
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(authority.key());
      signature.update(any);
      byte[] signed = signature.sign();
      signature.initVerify(authority.certificate().getPublicKey());
      signature.update(any);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false; // One of them is of another kind.
    }
  }

  private static X509Certificate certificate(Path file) throws IOException {
    try {
      byte[] bytes = Files.readAllBytes(file);
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(bytes));
    } catch (GeneralSecurityException e) {
      throw new IOException(file + ": expected a certificate in PEM: " + e.getMessage(), e);
    }
  }

  private static PrivateKey key(Path file) throws IOException {
    String text = new String(Files.readAllBytes(file), ISO_8859_1).strip();
    try {
      boolean whole = text.length() >= BEGIN_KEY.length() + END_KEY.length();
      if (!whole || !text.startsWith(BEGIN_KEY) || !text.endsWith(END_KEY)) {
        throw new IllegalArgumentException("no " + BEGIN_KEY);
      }
      String body = text.substring(BEGIN_KEY.length(), text.length() - END_KEY.length());
      byte[] bytes = Base64.getMimeDecoder().decode(body);
      return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(bytes));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException(file + ": expected a key in PEM (PKCS#8, EC): " + e.getMessage(), e);
    }
  }
}
