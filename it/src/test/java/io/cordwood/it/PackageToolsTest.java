package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What makes and signs packages, on files that take no time to pack. */
final class PackageToolsTest {
  private static final String PARTS = "../dist/package/";

  @TempDir private Path folder;

  /** Runs a command with a folder of keys that is empty at first. */
  private String run(String command) throws IOException {
    return Tool.run(
        "env",
        "GNUPGHOME=" + folder,
        "SOURCE_DATE_EPOCH=1767225600",
        "sh",
        "-euc",
        "PATH=$1:$PATH; cd $0; " + command,
        folder.toString(),
        Path.of(PARTS).toRealPath().toString());
  }

  @Test
  void filesAreSignedWithTheKeyThatIsNamed() throws IOException {
    try {
      run("gpg --version");
    } catch (IOException e) {
      Skipped.say("signatures", "no gpg: " + e.getMessage());
      return;
    }
    run(
        """
        chmod 700 .
        for name in ann bob; do
          gpg --batch --quiet --passphrase '' \\
            --quick-generate-key $name@localhost ed25519 sign never
        done
        echo one >'a file'
        echo two >other
        """);
    try {
      assertThat(run("sign ann@localhost 'a file' other")).isEqualTo("a file.asc\nother.asc\n");
      assertThat(run("gpg --status-fd 1 --verify 'a file.asc' 'a file' 2>/dev/null"))
          .contains("GOODSIG", "ann@localhost");
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> run("gpg --verify other.asc 'a file'"))
          .withMessageContaining("BAD signature");
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> run("sign eve@localhost other"))
          .withMessageContaining(
              "sign: expected a key of gpg of which the secret is known, found eve@localhost");
    } finally {
      run("gpgconf --kill all");
    }
  }

  @Test
  void filesAsTheyAreInstalledBecomeAPackageOfRpm() throws IOException {
    try {
      run("rpmbuild --version");
    } catch (IOException e) {
      Skipped.say("packages of rpm", "no rpmbuild: " + e.getMessage());
      return;
    }
    run(
        """
        mkdir -p 'a tree/usr/bin' 'a tree/usr/lib/cordwood/runtime' 'a tree/etc/cordwood'
        mkdir first second
        ln -s ../lib/cordwood/cordwood 'a tree/usr/bin/cordwood'
        mkdir -p 'a tree/usr/share/doc/cordwood'
        echo 'its licence' >'a tree/usr/share/doc/cordwood/copyright'
        echo '#!/bin/sh' >'a tree/usr/lib/cordwood/cordwood'
        echo '# settings' >'a tree/etc/cordwood/cordwood.properties'
        """);
    String built = run("build-rpm 'a tree' 1.2.3-SNAPSHOT w0.gzdio first");
    assertThat(built).matches(folder + "/first/cordwood-1\\.2\\.3-0\\.snapshot\\.\\w+\\.rpm\n");
    run("build-rpm 'a tree' 1.2.3-SNAPSHOT w0.gzdio second; diff -r first second");

    String asked = "rpm --dbpath $PWD/db --query --package first/*.rpm ";
    assertThat(run(asked + "--list").lines())
        .containsExactly(
            "/etc/cordwood",
            "/etc/cordwood/cordwood.properties",
            "/usr/bin/cordwood",
            "/usr/lib/cordwood",
            "/usr/lib/cordwood/cordwood",
            "/usr/lib/cordwood/runtime",
            "/usr/share/doc/cordwood",
            "/usr/share/doc/cordwood/copyright");
    assertThat(run(asked + "--configfiles")).isEqualTo("/etc/cordwood/cordwood.properties\n");
    assertThat(run(asked + "--requires"))
        .contains("libc.so.6()(64bit)\n", "/usr/sbin/useradd\n")
        .doesNotContain("java");
    assertThat(run(asked + "--scripts"))
        .contains(
            "set -- configure\nif [ \"$1\" = configure ]; then",
            "[ \"$1\" = 0 ] || exit 0\nset -- remove\nrm -f /usr/lib/cordwood");
    assertThat(
            run(asked + "--queryformat '%{NAME} %{VERSION} %{LICENSE} %{BUILDTIME} %{BUILDHOST}'"))
        .isEqualTo("cordwood 1.2.3 Apache-2.0 1767225600 localhost");
  }

  @Test
  void optionsThatAreNoneAreSaid() {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> run("build-packages --sign"))
        .withMessageContaining("build-packages: expected a key after --sign");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> run("build-packages --deb"))
        .withMessageContaining("expected --docker, --trial, --sign KEY or a folder, found --deb");
  }
}
