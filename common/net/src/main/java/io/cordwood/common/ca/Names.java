package io.cordwood.common.ca;

import java.util.List;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.util.IPAddress;

/** The names that certificates are for. */
final class Names {
  static final int MAX_CHARS = 253;

  /** The most that the field for a common name holds. */
  private static final int MAX_COMMON_NAME = 64;

  private static final Pattern HOST =
      Pattern.compile("(\\*\\.)?[A-Za-z0-9]([A-Za-z0-9_-]*)(\\.[A-Za-z0-9_][A-Za-z0-9_-]*)*\\.?");
  private static final Pattern CLIENT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@ -]*");

  private Names() {}

  /**
   * @throws IllegalArgumentException if one is neither a host's name nor an address
   */
  static GeneralNames ofHosts(List<String> names) {
    return new GeneralNames(names.stream().map(Names::ofHost).toArray(GeneralName[]::new));
  }

  private static GeneralName ofHost(String name) {
    if (IPAddress.isValid(name)) {
      return new GeneralName(GeneralName.iPAddress, name);
    }
    if (name.length() > MAX_CHARS || !HOST.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "expected a host's name such as log1.example.com, or an address, found '" + name + "'");
    }
    return new GeneralName(GeneralName.dNSName, name);
  }

  /**
   * @throws IllegalArgumentException if it is no name for a client
   */
  static String ofClient(String name) {
    if (name.length() > MAX_COMMON_NAME || !CLIENT.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "expected a client's name of at most %d letters, digits and . _ @ -, found '%s'"
              .formatted(MAX_COMMON_NAME, name));
    }
    return name;
  }

  /**
   * The common name in a subject; a name that is too long is cut, since only the SANs are checked.
   */
  static String common(String name) {
    return name.length() <= MAX_COMMON_NAME ? name : name.substring(0, MAX_COMMON_NAME);
  }
}
