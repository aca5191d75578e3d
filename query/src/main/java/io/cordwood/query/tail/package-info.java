/**
 * Records as they are received, without an end: follows the nodes that receive, and merges what
 * they send. May know {@code http} and what is below it; nobody but {@code api} knows it.
 */
@NullMarked
package io.cordwood.query.tail;

import org.jspecify.annotations.NullMarked;
