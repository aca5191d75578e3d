/**
 * Follows files for {@code cordwood forward}: finds them, tells them apart, cuts them into batches,
 * and keeps in a checkpoint what has arrived, so that after any crash each line is there once.
 *
 * <pre>
 * FilePattern ──► FileFinder ──► FollowedFile ──► Follower ──► Forwarder ──► ingest node
 *                  new, renamed,    reads, cuts      plans, sends      │
 *                  truncated, gone                   ▲    │            │
 *                                                    │    ▼            ▼
 *                                                  Checkpoint ◄── acknowledged
 * </pre>
 *
 * One thread does all of it; the forwarder's own thread only hands over what was acknowledged. May
 * know {@code program} and {@code pods}.
 */
@NullMarked
package io.cordwood.agent.follow;

import org.jspecify.annotations.NullMarked;
