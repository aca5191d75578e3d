package io.cordwood.cli.cold;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** {@code cordwood cold}: looks at what is in a bucket, and gets it back; needs no node. */
public final class ColdCommand implements Command {
  private @Nullable CommandSpec spec;

  @Override
  public void list(FlagList list) {
    list.description(
        "Look at the segments that are kept in a bucket or a folder, and get them back. No node is "
            + "needed.",
        "A place is file:///FOLDER or s3://BUCKET/PREFIX, with parameters after a question mark: "
            + "endpoint=, region=, style=path|virtual, ca=FILE, credentials=FILE, sse=, sse-key=. "
            + "Credentials are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, in "
            + "~/.aws/credentials, or of the role of a machine of EC2.");
    list.subcommandLabel("ls|check|get|grep|moved|verify");
    list.subcommand("ls", new ColdListCommand());
    list.subcommand("check", new ColdCheckCommand());
    list.subcommand("get", new ColdGetCommand());
    list.subcommand("grep", new ColdGrepCommand());
    list.subcommand("moved", new ColdMovedCommand());
    list.subcommand("verify", new ColdVerifyCommand());
    list.sorted();
    spec = list.command();
  }

  @Override
  public Integer call() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(),
        "expected ls, check, get, grep, moved or verify, found none");
  }
}
