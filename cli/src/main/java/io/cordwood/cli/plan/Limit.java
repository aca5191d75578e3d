package io.cordwood.cli.plan;

/** A part of nodes that can be too little for a load. */
enum Limit {
  INGEST_CPU(true, Figure.INGEST_CPU_USED, "processor"),
  INGEST_DISK(true, Figure.INGEST_DISK_USED, "disk, for an outage of the stores"),
  INGEST_DISK_RATE(true, Figure.INGEST_DISK_RATE_USED, "the disk's rate"),
  INGEST_NET(true, Figure.INGEST_NET_USED, "network"),
  STORE_CPU(false, Figure.STORE_CPU_USED, "processor"),
  STORE_DISK(false, Figure.STORE_DISK_USED, "disk"),
  STORE_DISK_RATE(false, Figure.STORE_DISK_RATE_USED, "the disk's rate"),
  STORE_NET(false, Figure.STORE_NET_USED, "network"),
  SETTLING(false, Figure.SETTLE_USED, "--settle-rate"),
  COMPACTION(false, Figure.COMPACTION_USED, "--compaction-rate");

  private final boolean ofIngest;
  private final Figure used;
  private final String words;

  Limit(boolean ofIngest, Figure used, String words) {
    this.ofIngest = ofIngest;
    this.used = used;
    this.words = words;
  }

  /** Whether more ingest nodes help; otherwise more stores do. */
  public boolean isOfIngest() {
    return ofIngest;
  }

  /** The figure that says how much of it is used. */
  public Figure used() {
    return used;
  }

  /** For people. */
  public String words() {
    return words;
  }
}
