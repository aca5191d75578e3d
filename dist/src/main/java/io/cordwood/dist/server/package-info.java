/**
 * The commands that are nodes: ingest, store, query and all in one; their flags, and how a node is
 * wired from the parts of the other modules. May know {@code program}.
 */
@NullMarked
package io.cordwood.dist.server;

import org.jspecify.annotations.NullMarked;
