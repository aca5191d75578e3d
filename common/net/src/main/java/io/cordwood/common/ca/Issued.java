package io.cordwood.common.ca;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/** A certificate and the key that belongs to it. */
public record Issued(X509Certificate certificate, PrivateKey key) {}
