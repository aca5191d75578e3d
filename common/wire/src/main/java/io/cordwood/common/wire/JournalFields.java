package io.cordwood.common.wire;

import java.util.Map;

/** Fields of systemd's journal, and what they become, whoever sends its entries to a node. */
public final class JournalFields {
  /** The text of an entry. */
  public static final String MESSAGE = "MESSAGE";

  /** The place of an entry in the journal. */
  public static final String CURSOR = "__CURSOR";

  /** When an entry came to the journal, in microseconds since 1970. */
  public static final String TIME = "__REALTIME_TIMESTAMP";

  /** Names of labels by those of fields. */
  public static final Map<String, String> LABELS =
      Map.ofEntries(
          Map.entry("_HOSTNAME", "host"),
          Map.entry("SYSLOG_IDENTIFIER", "app"),
          Map.entry("_SYSTEMD_UNIT", "unit"),
          Map.entry("_SYSTEMD_USER_UNIT", "user_unit"),
          Map.entry("_TRANSPORT", "transport"),
          Map.entry("_MACHINE_ID", "machine_id"),
          Map.entry("_BOOT_ID", "boot_id"),
          Map.entry("_NAMESPACE", "journal_namespace"),
          Map.entry("CONTAINER_NAME", "container_name"),
          Map.entry("CONTAINER_ID_FULL", "container_id"),
          Map.entry("CONTAINER_TAG", "tag"),
          Map.entry("IMAGE_NAME", "image"));

  private JournalFields() {}
}
