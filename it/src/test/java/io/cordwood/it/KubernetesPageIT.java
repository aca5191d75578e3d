package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.cli.secret.SecretServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows {@code docs/kubernetes.md} without Kubernetes: the job's command makes the secrets at a
 * server that keeps them, a node and a forwarder run with the flags of the manifests over folders
 * as kubelets lay them out, and the page's commands search. {@code kubectl} is a script that knows
 * the secrets, and {@code journalctl} one that has an entry.
 */
final class KubernetesPageIT {
  private static final String UID = "9f3c2b1a-0000-4000-8000-1234567890ab";
  private static final String TRACE =
      "java.lang.IllegalStateException: an error\n\tat shop.Order.main(Order.java:1)\n";
  private static final String KUBECTL =
      """
      #!/bin/sh
      case "$3 $5" in
        'get cordwood-'*)
          key=${7#'jsonpath={.data.'}
          cat "secrets/$5/$(printf '%s' "${key%\\}}" | tr -d '\\\\')" ;;
        'patch cordwood-nodes')
          printf '%s' "$7" | sed 's/.*"tokens":"\\([^"]*\\)".*/\\1/' | base64 -d >tokens.mounted
          chmod 400 tokens.mounted
          mv tokens.mounted etc/nodes/tokens ;;
        'port-forward 7650') ;;
        *) echo "expected a command of the page, found $*" >&2; exit 1 ;;
      esac
      """;
  private static final String JOURNALCTL =
      """
      #!/bin/sh
      case $* in
        *--after-cursor*) ;;
        *) printf '__CURSOR=s=1\\n__REALTIME_TIMESTAMP=%s000000\\nMESSAGE=kubelet\\n\\n' "$(date +%s)" ;;
      esac
      exec sleep 600
      """;

  @TempDir private Path folder;
  private final Instant now = Instant.now();

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private void script(String name, String text) throws IOException {
    write("bin/" + name, text);
    assertThat(folder.resolve("bin/" + name).toFile().setExecutable(true)).isTrue();
  }

  private String cri(int secondsAgo, String rest) {
    return now.minusSeconds(secondsAgo) + " " + rest + "\n";
  }

  private static String pod(String namespace, String pod, String container, String file) {
    return "var/log/pods/%s_%s_%s/%s/%s".formatted(namespace, pod, UID, container, file);
  }

  private void layOut() throws IOException {
    script("kubectl", KUBECTL);
    script("journalctl", JOURNALCTL);
    script("cordwood", "#!/bin/sh\nexec \"$CORDWOOD\" \"$@\"\n");
    write(
        pod("shop", "web-1", "web", "0.log"),
        cri(9, "stderr F java.lang.IllegalStateException: an error")
            + cri(8, "stdout P half an ")
            + cri(7, "stderr F \tat shop.Order.main(Order.java:1)")
            + cri(6, "stdout F error")
            + cri(5, "stdout F fine"));
    write(pod("pay", "card-1", "card", "3.log"), cri(4, "stdout F another error"));
  }

  /** As the job does, and mounted as the pods have them. */
  private void makeSecrets() throws IOException {
    try (var server = new SecretServer(folder.resolve("api"))) {
      List<String> arguments =
          new ArrayList<>(
              Manifests.args(Manifests.ofKustomization(), "batch/v1 Job secrets").stream()
                  .map(each -> each.replace("$(NAMESPACE)", "cordwood"))
                  .toList());
      arguments.addAll(List.of("--api=" + server.address(), "--account=" + server.account()));
      Program.Result made = Program.run(arguments.toArray(String[]::new));
      assertThat(made.exitCode()).as(made.errors()).isZero();
      for (Map.Entry<String, String> secret : server.secrets.entrySet()) {
        Map<?, ?> object = new ObjectMapper().readValue(secret.getValue(), Map.class);
        Map<?, ?> data = (Map<?, ?>) Objects.requireNonNull(object.get("data"));
        for (Map.Entry<?, ?> file : data.entrySet()) {
          String text = file.getValue().toString();
          write("secrets/" + secret.getKey() + "/" + file.getKey(), text);
          String place = secret.getKey().replace("cordwood-", "etc/") + "/" + file.getKey();
          write(place, new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8));
          Files.setPosixFilePermissions(
              folder.resolve(place), PosixFilePermissions.fromString("r--------"));
        }
      }
    }
  }

  private NodeProcess node() throws IOException {
    List<String> flags =
        Manifests.args(Manifests.ofKustomization(), "apps/v1 StatefulSet store").stream()
            .filter(each -> each.contains("/etc/cordwood"))
            .map(each -> each.replace("/etc/cordwood", folder + "/etc/nodes"))
            .toList();
    assertThat(flags).hasSize(2);
    return NodeProcess.start(folder, flags.toArray(String[]::new));
  }

  private Program forwarder(NodeProcess node) throws IOException {
    String target = "tls://localhost:" + node.durablePort();
    Stream<String> arguments =
        Manifests.args(Manifests.ofKustomization(), "apps/v1 DaemonSet forwarder").stream()
            .map(each -> each.replaceFirst("=/var/", "=" + folder + "/var/"))
            .map(each -> each.replace("=/etc/cordwood/", "=" + folder + "/etc/forwarder/"))
            .map(each -> each.replaceFirst("^tls://ingest-.*", target))
            .distinct();
    var command = new StringBuilder("unset KUBERNETES_SERVICE_HOST\nexport NODE_NAME=worker-7\n");
    command.append("exec \"$CORDWOOD\"");
    arguments.forEach(each -> command.append(" '").append(each).append('\''));
    return Program.shell(folder, path() + command + " --stats-file=stats.json");
  }

  private String path() {
    return "export PATH='" + folder.resolve("bin") + "':\"$PATH\"\n";
  }

  private void awaitArrived(int records) {
    Path figures = folder.resolve("stats.json");
    String wanted = "\"records_acknowledged\":" + records + ",";
    await().until(() -> Files.exists(figures) && Files.readString(figures).contains(wanted));
  }

  /** Runs a block of the page as it stands, but for the port. */
  private String runBlock(NodeProcess node, String sign) throws IOException {
    String block = DocBlock.runBy(KubernetesPageIT.class, "kubernetes.md", sign).text();
    String script = path() + block.replace("localhost:7650", "localhost:" + node.apiPort());
    try (Program shell = Program.shell(folder, script)) {
      Program.Result end = shell.end(block.lines().toList().size());
      assertThat(end.exitCode()).as(end.errors()).isZero();
      return end.text();
    }
  }

  private String grep(NodeProcess node, String token, String... more) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of(
                "grep",
                "--node=https://localhost:" + node.apiPort(),
                "--tls-ca=" + folder.resolve("ca.pem"),
                "--token-file=" + folder.resolve(token)));
    all.addAll(List.of(more));
    return Program.run(all.toArray(String[]::new)).text();
  }

  @Test
  void whatPodsPrintIsFoundByThePagesCommands() throws IOException {
    layOut();
    makeSecrets();
    try (NodeProcess node = node()) {
      try (Program forwarder = forwarder(node)) {
        awaitArrived(4);
        assertThat(forwarder.err()).contains("--kubernetes: no API server is known");
        assertThat(runBlock(node, "port-forward"))
            .contains("card", "journal", "web")
            .endsWith(TRACE + "half an error\n");
        assertThat(grep(node, "admin.token", "--where=" + labels(), "")).isEqualTo(TRACE);
        assertThat(runBlock(node, "token add ann")).isEmpty();
      }
      write(pod("shop", "web-1", "web", "0.log"), cri(3, "stdout F before"));
      Files.move(
          folder.resolve(pod("shop", "web-1", "web", "0.log")),
          folder.resolve(pod("shop", "web-1", "web", "0.log.20261128-100000")));
      write(pod("shop", "web-1", "web", "0.log"), cri(2, "stdout F after"));
      try (Program _ = forwarder(node)) {
        String all = TRACE + "half an error\nfine\nbefore\nafter\n";
        await().untilAsserted(() -> assertThat(grep(node, "ann.token", "")).isEqualTo(all));
      }
    }
  }

  /** The labels that the page names. */
  private static String labels() {
    return Stream.of(
            "namespace=shop",
            "pod=web-1",
            "container=web",
            "uid=" + UID,
            "restart=0",
            "stream=stderr",
            "node=worker-7")
        .map(label -> "@" + label)
        .collect(Collectors.joining(" and "));
  }
}
