/**
 * The node: {@link io.cordwood.ingest.node.IngestNode} starts all parts, in the order of its
 * drawing, and ends them. May know all; nobody here knows it.
 */
@NullMarked
package io.cordwood.ingest.node;

import org.jspecify.annotations.NullMarked;
