package io.cordwood.forwarder;

import io.cordwood.common.wire.Hint;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The second live connection, of a forwarder whose node has sent it on to another one: it is made
 * beside the one in use, both nodes' loads are compared as they say themselves, and the less loaded
 * one is used. Owned by the sender thread.
 */
final class ConnectionMigration {
  private final ForwarderOptions options;
  private final NameResolver resolver;
  private final LearnedNodes learned;
  private final LongConsumer clock;
  private final Runnable wakeSender;
  private final Consumer<Target> notFollowed;
  private final MoveBackoff pace = new MoveBackoff(System::nanoTime);
  private @Nullable MigrationConnection under;
  private MigrationConnection.@Nullable Made ready;

  /**
   * @param clock takes nodes' time, in milliseconds; called by other threads
   * @param wakeSender called by other threads
   * @param notFollowed told of each node that the forwarder was sent to and did not go to
   */
  ConnectionMigration(
      ForwarderOptions options,
      NameResolver resolver,
      LearnedNodes learned,
      LongConsumer clock,
      Runnable wakeSender,
      Consumer<Target> notFollowed) {
    this.options = options;
    this.resolver = resolver;
    this.learned = learned;
    this.clock = clock;
    this.wakeSender = wakeSender;
    this.notFollowed = notFollowed;
  }

  /**
   * Does what there is to do.
   *
   * @param told on the connection in use
   * @param used its target
   * @return whether there is a better connection, so that the present one is to be left
   */
  boolean look(AdvertisedNodes told, Target used) {
    if (under != null && under.isOver()) {
      judge(under, told, used);
      under = null;
    }
    if (ready == null && under == null && told.hasGo()) {
      AdvertisedNodes.Other to = told.takeGo();
      if (to == null || to.address().equals(used)) {
        return false;
      }
      if (pace.mayLook() && learned.isUsable(to.address())) {
        begin(to.address());
      } else {
        notFollowed.accept(to.address());
      }
    }
    return ready != null;
  }

  private void begin(Target target) {
    try {
      under = MigrationConnection.start(target, options, resolver, clock, wakeSender);
    } catch (IOException e) {
      pace.failed(); // out of file descriptors: the connection in use will do
      notFollowed.accept(target);
    }
  }

  private void judge(MigrationConnection over, AdvertisedNodes told, Target used) {
    MigrationConnection.Made made = over.made();
    Hint.Self there = made == null ? null : made.told().self();
    Hint.Self here = told.self();
    if (over.target().equals(used)) {
      refuse(used, made); // It was connected to otherwise meanwhile.
    } else if (made == null || there == null || here == null || there.id().equals(here.id())) {
      learned.failed(over.target());
      refuse(over.target(), made);
    } else if (made.told().hasGo() || !there.load().isLessIn(here.load())) {
      refuse(over.target(), made);
    } else {
      ready = made;
    }
  }

  private void refuse(Target target, MigrationConnection.@Nullable Made made) {
    if (made != null) {
      made.close();
    }
    pace.failed();
    notFollowed.accept(target);
  }

  /** The better connection; null if there is none. It is the caller's, and counts as a move. */
  MigrationConnection.@Nullable Made take() {
    MigrationConnection.Made made = ready;
    ready = null;
    if (made != null) {
      pace.moved();
    }
    return made;
  }

  void close() {
    if (under != null) {
      under.stop();
    }
    if (ready != null) {
      ready.close();
    }
  }
}
