package io.cordwood.sim;

/** Mistakes that the simulator has to find when they are made on purpose. */
enum Mistake {
  NONE,
  /** Segments are committed with a copy too few. */
  COMMIT_WITH_A_COPY_TOO_FEW,
  /** Segments are committed before the store's own copy is in its place. */
  COMMIT_BEFORE_OWN_COPY,
  /** A replica is acknowledged before it is forced. */
  ACKNOWLEDGE_REPLICA_BEFORE_FORCE,
  /** A durable batch is acknowledged before it is forced. */
  ACKNOWLEDGE_BATCH_BEFORE_FORCE,
  /** A segment is deleted when it is claimed, not when it is committed. */
  COMMIT_AT_CLAIM,
  /** Nodes that are gone are not missed. */
  FORGET_DEPARTED,
  /** Nodes that did not answer are not missed. */
  IGNORE_SILENCE,
  /** Stores are asked before the ingest nodes have said what they search. */
  ASK_STORES_FIRST,
  /** An ingest node's answer is used though it came after the stores were asked. */
  USE_LATE_ANSWERS,
  /** A store that is missing is done without, whatever it said of its copies; ADR 13 undone. */
  BELIEVE_IN_COPIES,
  /** A store says that all it holds has its copies, without having compared it. */
  TELL_OF_COPIES_UNPROVEN,
  /** Repair believes to have copied, and has sent nothing. */
  REPAIR_WITHOUT_SENDING,
  /** A start of an ingest node drops the segments that were claimed. */
  DROP_CLAIMED_AT_START,
  /** Senders stay where they are, whatever they are told. */
  KEEP_SENDERS,
  /** Stores delete by their clocks as they are. */
  DELETE_BY_ANY_CLOCK,
  /** Stores delete by the times in batches alone. */
  DELETE_BY_STAMPS,
  /** A batch is acknowledged though its force failed. */
  ACKNOWLEDGE_AFTER_FORCE_ERROR,
  /** A store keeps to the number of copies of its first start. */
  IGNORE_CHANGE_OF_COPIES,
  /** An ingest node leaves while it holds something. */
  LEAVE_WITH_BACKLOG,
  /** What rots is never looked for. */
  NEVER_SCRUB,
  /** Answers from a store with rotten blocks count as whole. */
  OVERLOOK_DAMAGE,
  /** A store does not say that something was lost with what it set aside. */
  KEEP_DAMAGE_QUIET,
  /** Damage counts as made good though a store that may hold what was lost is away. */
  RESTORE_WITHOUT_THE_ABSENT,
  /** A store deletes what it has not found in the bucket. */
  EVICT_UNPROVEN,
  /** A store deletes what was listed minutes ago, and younger records than readers look for. */
  EVICT_WHAT_WAS_JUST_LISTED,
  /** A store does not say what it let go of. */
  EVICT_QUIETLY,
  /** A list of the bucket is relied on, however old it is. */
  USE_OLD_LISTS,
  /** The age of a list is that by the monotonic clock alone. */
  COUNT_NO_SLEEP,
  /** Stores are asked long after the list of the bucket was made, and that does not matter. */
  RELY_ON_A_LIST_FOR_EVER,
  /** Names that were listed before are forgotten. */
  FORGET_NAMES,
  /** What could not be read of a bucket is not missed. */
  OVERLOOK_WHAT_IS_UNREAD;

  /** Whether it is one of nodes with a bucket. */
  boolean isCold() {
    return compareTo(EVICT_UNPROVEN) >= 0;
  }

  /** Whether the first seeds find it. */
  boolean isFoundSoon() {
    return switch (this) {
      case COMMIT_WITH_A_COPY_TOO_FEW,
          COMMIT_BEFORE_OWN_COPY,
          COMMIT_AT_CLAIM,
          ACKNOWLEDGE_AFTER_FORCE_ERROR,
          FORGET_DEPARTED,
          IGNORE_SILENCE,
          EVICT_UNPROVEN,
          EVICT_QUIETLY ->
          true;
      default -> false;
    };
  }
}
