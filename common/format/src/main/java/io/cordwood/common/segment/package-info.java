/** The formats: batch, ingest segment, store segment, block, filter; their readers and writers. */
@NullMarked
package io.cordwood.common.segment;

import org.jspecify.annotations.NullMarked;
