/**
 * The node: {@link io.cordwood.store.node.StoreNode} starts all parts, and ends them. May know all;
 * nobody here knows it.
 */
@NullMarked
package io.cordwood.store.node;

import org.jspecify.annotations.NullMarked;
