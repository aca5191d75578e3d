package io.cordwood.cli.secret;

import io.cordwood.cli.kubernetes.ApiServer;
import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagBounds;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.common.ca.CertificateFolder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * {@code cordwood secrets}: makes the secrets that the manifests for Kubernetes need, in a pod.
 *
 * <p>The first secret has everything and is created at once, so of several runs, or one that was
 * cut off, all make the others of what the first one made. Those have only what their reader needs.
 */
public final class SecretsCommand implements Command {
  private static final int MAX_DAYS = 3650;
  private static final Pattern PREFIX = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
  private static final String TOKEN = "token";

  private URI api = URI.create("https://kubernetes.default.svc");
  private Path account = ApiServer.ACCOUNT;
  private String prefix = "cordwood";
  private int days = MAX_DAYS;
  private List<String> names = new ArrayList<>();

  @Override
  public void list(FlagList list) {
    list.description(
        "Make the secrets of a cluster in Kubernetes, once: an authority, a certificate for its"
            + " nodes, tokens.",
        "Runs in a pod, in whose namespace they are made. Those that are there already stay as they"
            + " are.");
    list.footer(
        "",
        "Secrets, with --prefix cordwood:",
        "  cordwood-authority  all of the following, and the authority's key; for this command"
            + " alone",
        "  cordwood-nodes      ca.pem, node.pem, node.key, tokens; for --tls-dir and --tokens",
        "  cordwood-forwarder  ca.pem, token, with the scope ingest",
        "  cordwood-admin      ca.pem, token, with all scopes");
    list.sorted();
    list.argument("0..*", "1..*")
        .label("NAME")
        .help("Host names and addresses of the nodes, such as '*.ingest'.")
        .list(String.class, names, value -> names = value);
    list.flag("--api")
        .label("URL")
        .help("Kubernetes' API server. Default: ${DEFAULT-VALUE}.")
        .value(URI.class, api, value -> api = value);
    list.flag("--account")
        .label("DIR")
        .help("Folder with token, ca.crt and namespace of the pod. Default: ${DEFAULT-VALUE}.")
        .value(Path.class, account, value -> account = value);
    list.flag("--prefix")
        .label("NAME")
        .help("What the names of the secrets begin with. Default: ${DEFAULT-VALUE}.")
        .value(String.class, prefix, value -> prefix = value);
    list.flag("--days")
        .label("NUMBER")
        .help("How long the nodes' certificate is valid, 1 to 3650. Default: ${DEFAULT-VALUE}.")
        .value(int.class, days, value -> days = value);
  }

  @Override
  public Integer call() throws IOException {
    check();
    var secrets = new Secrets(new ApiServer(api, account));
    Map<String, String> files = everything(secrets);
    create(
        secrets,
        "nodes",
        files,
        Map.of(
            CertificateFolder.AUTHORITY,
            CertificateFolder.AUTHORITY,
            "node.pem",
            "node.pem",
            "node.key",
            "node.key",
            NodeFiles.TOKENS,
            NodeFiles.TOKENS));
    create(secrets, "forwarder", files, client(NodeFiles.FORWARDER_TOKEN));
    create(secrets, "admin", files, client(NodeFiles.ADMIN_TOKEN));
    return Programs.SUCCESS;
  }

  private void check() {
    if (!"https".equals(api.getScheme()) || api.getHost() == null) {
      throw new CommandException("--api: expected https://HOST[:PORT], found " + api);
    }
    if (!PREFIX.matcher(prefix).matches()) {
      throw new CommandException(
          "--prefix: expected at most 63 small letters, digits and -, found " + prefix);
    }
    FlagBounds.number("--days", 1, MAX_DAYS, days);
  }

  private static Map<String, String> client(String token) {
    return Map.of(CertificateFolder.AUTHORITY, CertificateFolder.AUTHORITY, TOKEN, token);
  }

  /** Contents of the first secret, which is made if it is not there. */
  private Map<String, String> everything(Secrets secrets) throws IOException {
    String name = prefix + "-authority";
    Optional<Map<String, String>> before = secrets.find(name);
    if (before.isEmpty()) {
      Map<String, String> made = made();
      if (secrets.create(name, made)) {
        System.out.println(name + ": made");
        return made;
      }
      before = secrets.find(name);
    }
    System.out.println(name + ": is there already");
    return before.orElseThrow(
        () -> new IOException(name + ": expected what was there a moment ago, found nothing"));
  }

  private Map<String, String> made() throws IOException {
    try {
      return NodeFiles.create(names, days);
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * @param contents files of everything, by the names that they have in this secret
   */
  private void create(
      Secrets secrets, String what, Map<String, String> files, Map<String, String> contents)
      throws IOException {
    String name = prefix + "-" + what;
    Map<String, String> data = new LinkedHashMap<>();
    for (Map.Entry<String, String> entry : contents.entrySet()) {
      String text = files.get(entry.getValue());
      if (text == null) {
        throw new IOException(
            "%s-authority: expected %s in it, found none; delete all four secrets to begin anew"
                .formatted(prefix, entry.getValue()));
      }
      data.put(entry.getKey(), text);
    }
    System.out.println(name + (secrets.create(name, data) ? ": made" : ": is there already"));
  }
}
