/**
 * Copies of segments to and from other stores: which store gets one, how it is sent, and what one
 * that comes has to be. Knows {@code segment} and {@code store} alone.
 */
@NullMarked
package io.cordwood.store.replicate;

import org.jspecify.annotations.NullMarked;
