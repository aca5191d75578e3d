package io.cordwood.common.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Shows one certificate, which may be replaced while connections are made: a handshake that began
 * with the one before ends with it. For all threads.
 */
final class CurrentKey extends X509ExtendedKeyManager {
  private volatile Generation current;

  /** The credentials of an alias; the ones before are kept for handshakes that know their alias. */
  private record Generation(int number, Credentials credentials, @Nullable Credentials before) {}

  CurrentKey(Credentials credentials) {
    this.current = new Generation(0, credentials, null);
  }

  /** From now on, new handshakes show these. */
  void replace(Credentials credentials) {
    current = new Generation(current.number + 1, credentials, current.credentials);
  }

  /** The kind of key that new handshakes sign with, as the JDK names it. */
  String algorithm() {
    return current.credentials.key().getAlgorithm();
  }

  private @Nullable Credentials named(@Nullable String alias) {
    Generation now = current;
    if (alias == null) {
      return null;
    }
    return alias.equals(Integer.toString(now.number)) ? now.credentials : now.before;
  }

  private @Nullable String alias(String... keyTypes) {
    Generation now = current;
    for (String type : keyTypes) {
      if (type.equals(now.credentials.key().getAlgorithm())) {
        return Integer.toString(now.number);
      }
    }
    return null;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
    return alias(keyType);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, Socket socket) {
    return alias(keyType);
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
    return alias(keyTypes);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
    return alias(keyTypes);
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(@Nullable String alias) {
    Credentials found = named(alias);
    return found == null ? null : found.chainArray();
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(@Nullable String alias) {
    Credentials found = named(alias);
    return found == null ? null : found.key();
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return aliases(keyType);
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return aliases(keyType);
  }

  private String @Nullable [] aliases(String keyType) {
    String alias = alias(keyType);
    return alias == null ? null : new String[] {alias};
  }
}
