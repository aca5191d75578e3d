package io.cordwood.common.tls;

/** The oldest version of TLS that is spoken. */
public enum TlsVersion {
  V1_3("1.3"),
  V1_2("1.2");

  private final String label;

  TlsVersion(String label) {
    this.label = label;
  }

  /** It and those that are newer. */
  String[] protocols() {
    return this == V1_3 ? new String[] {"TLSv1.3"} : new String[] {"TLSv1.3", "TLSv1.2"};
  }

  @Override
  public String toString() {
    return label;
  }
}
