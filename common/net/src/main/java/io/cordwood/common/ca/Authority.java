package io.cordwood.common.ca;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * An authority: it signs certificates for nodes and for clients, all with keys on the curve P-256.
 */
public final class Authority {
  private static final int SERIAL_BITS = 127;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final X509Certificate certificate;
  private final PrivateKey key;

  Authority(X509Certificate certificate, PrivateKey key) {
    this.certificate = certificate;
    this.key = key;
  }

  /** A new one, which signs itself. */
  public static Authority create(String name, Validity validity) {
    KeyPair pair = newPair();
    X500Name subject = subject(Names.ofClient(name));
    var builder =
        new JcaX509v3CertificateBuilder(
            subject,
            newSerial(),
            Date.from(validity.from()),
            Date.from(validity.until()),
            subject,
            pair.getPublic());
    try {
      var ids = new JcaX509ExtensionUtils();
      builder
          .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
          .addExtension(
              Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
          .addExtension(
              Extension.subjectKeyIdentifier,
              false,
              ids.createSubjectKeyIdentifier(pair.getPublic()));
      return new Authority(signed(builder, pair.getPrivate()), pair.getPrivate());
    } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * For a node, which others connect to and which connects to others.
   *
   * @param names by which it is reached; host names and addresses
   * @param validity cut where that of the authority ends
   * @throws IllegalArgumentException if a name is none
   */
  public Issued node(List<String> names, Validity validity) {
    return issue(
        Names.common(names.get(0)),
        Optional.of(Names.ofHosts(names)),
        validity,
        KeyPurposeId.id_kp_serverAuth,
        KeyPurposeId.id_kp_clientAuth);
  }

  /** For a client, which is no node. */
  public Issued client(String name, Validity validity) {
    return issue(Names.ofClient(name), Optional.empty(), validity, KeyPurposeId.id_kp_clientAuth);
  }

  private Issued issue(
      String name, Optional<GeneralNames> names, Validity wanted, KeyPurposeId... purposes) {
    Validity validity = wanted.endingBy(certificate.getNotAfter().toInstant());
    KeyPair pair = newPair();
    try {
      var ids = new JcaX509ExtensionUtils();
      var builder =
          new JcaX509v3CertificateBuilder(
              new JcaX509CertificateHolder(certificate).getSubject(),
              newSerial(),
              Date.from(validity.from()),
              Date.from(validity.until()),
              subject(name),
              pair.getPublic());
      builder
          .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
          .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
          .addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purposes))
          .addExtension(
              Extension.subjectKeyIdentifier,
              false,
              ids.createSubjectKeyIdentifier(pair.getPublic()))
          .addExtension(
              Extension.authorityKeyIdentifier,
              false,
              ids.createAuthorityKeyIdentifier(certificate));
      if (names.isPresent()) {
        builder.addExtension(Extension.subjectAlternativeName, false, names.get());
      }
      return new Issued(signed(builder, key), pair.getPrivate());
    } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static X509Certificate signed(JcaX509v3CertificateBuilder builder, PrivateKey key)
      throws GeneralSecurityException, OperatorCreationException {
    return new JcaX509CertificateConverter()
        .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(key)));
  }

  private static X500Name subject(String name) {
    return new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, name).build();
  }

  private static BigInteger newSerial() {
    return new BigInteger(SERIAL_BITS, RANDOM).setBit(0);
  }

  private static KeyPair newPair() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has P-256", e);
    }
  }

  public X509Certificate certificate() {
    return certificate;
  }

  PrivateKey key() {
    return key;
  }
}
