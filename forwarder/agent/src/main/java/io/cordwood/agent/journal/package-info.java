/**
 * Reads the journal of systemd for {@code cordwood forward --journal}, from a process of {@code
 * journalctl}. Knows no other package of the program.
 */
@NullMarked
package io.cordwood.agent.journal;

import org.jspecify.annotations.NullMarked;
