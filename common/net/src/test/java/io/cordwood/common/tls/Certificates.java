package io.cordwood.common.tls;

import io.cordwood.common.ca.Authority;
import io.cordwood.common.ca.CertificateFolder;
import io.cordwood.common.ca.Validity;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** An authority for tests, and folders with certificates of it. */
public final class Certificates {
  private final Path folder;
  public final Authority authority = Authority.create("test", Validity.forDays(60));
  private int written;

  public Certificates(Path folder) {
    this.folder = folder;
  }

  /** Of certificates that can be used. */
  public static Validity now() {
    return Validity.forDays(30);
  }

  public static Validity over() {
    return days(-20, -10);
  }

  public static Validity early() {
    return days(10, 20);
  }

  private static Validity days(int from, int until) {
    Instant now = Instant.now();
    return new Validity(now.plus(Duration.ofDays(from)), now.plus(Duration.ofDays(until)));
  }

  private Path next() {
    written++;
    return folder.resolve("tls-" + System.identityHashCode(this) + "-" + written);
  }

  /** A node that is reached at this machine. */
  public Path node() throws IOException {
    return node(now(), "localhost", "127.0.0.1");
  }

  public Path node(Validity validity, String... names) throws IOException {
    Path node = next();
    writeNode(node, validity, names);
    return node;
  }

  public void writeNode(Path node, Validity validity, String... names) throws IOException {
    CertificateFolder.writeNode(node, authority, authority.node(List.of(names), validity), true);
  }

  /** A node with a key of another kind, which signs its certificate itself. */
  public Path nodeWithKeyOf(String algorithm) throws IOException, GeneralSecurityException {
    KeyPair pair = KeyPairGenerator.getInstance(algorithm).generateKeyPair();
    X509Certificate certificate = selfSigned(pair, algorithm);
    Path node = Files.createDirectories(next());
    String key = Base64.getMimeEncoder().encodeToString(pair.getPrivate().getEncoded());
    Files.writeString(node.resolve("ca.pem"), CertificateFolder.text(certificate));
    Files.writeString(node.resolve("node.pem"), CertificateFolder.text(certificate));
    Files.writeString(
        node.resolve("node.key"),
        "-----BEGIN PRIVATE KEY-----\n" + key + "\n-----END PRIVATE KEY-----\n");
    Files.setPosixFilePermissions(
        node.resolve("node.key"), PosixFilePermissions.fromString("rw-------"));
    return node;
  }

  private static X509Certificate selfSigned(KeyPair pair, String algorithm)
      throws IOException, GeneralSecurityException {
    var self = new X500Name("CN=localhost");
    var names = new GeneralNames(new GeneralName(GeneralName.dNSName, "localhost"));
    String signing = algorithm.equals("Ed25519") ? algorithm : "SHA256with" + algorithm;
    try {
      var builder =
          new JcaX509v3CertificateBuilder(
                  self,
                  BigInteger.ONE,
                  Date.from(now().from()),
                  Date.from(now().until()),
                  self,
                  pair.getPublic())
              .addExtension(Extension.subjectAlternativeName, false, names);
      return new JcaX509CertificateConverter()
          .getCertificate(
              builder.build(
                  new JcaContentSignerBuilder(signing.replace("EC", "ECDSA"))
                      .build(pair.getPrivate())));
    } catch (OperatorCreationException e) {
      throw new GeneralSecurityException(e);
    }
  }

  public Path client(Validity validity) throws IOException {
    Path client = next();
    CertificateFolder.writeClient(client, authority, authority.client("somebody", validity), false);
    return client;
  }

  /** A client that trusts the authority and is nobody. */
  public ClientTls trusting() throws IOException {
    return ClientTls.trusting(node().resolve("ca.pem"));
  }

  /** A client with a certificate. */
  public ClientTls client() throws IOException {
    Path client = client(now());
    return ClientTls.of(
        Optional.of(client.resolve("ca.pem")),
        client.resolve("client.pem"),
        client.resolve("client.key"));
  }

  /** Looks at its files all the time, and is soon tired of handshakes. */
  public static TlsOptions quick(Path folder) {
    return new TlsOptions(folder, TlsVersion.V1_3, Duration.ofMillis(500), Duration.ofMillis(20));
  }

  /** Waits long for handshakes, as a busy machine needs. */
  public static TlsOptions patient(Path folder) {
    return new TlsOptions(folder, TlsVersion.V1_3, Duration.ofSeconds(60), Duration.ofMillis(20));
  }

  public NodeTls open(MeterRegistry registry) throws IOException {
    return NodeTls.open(patient(node()), registry);
  }
}
