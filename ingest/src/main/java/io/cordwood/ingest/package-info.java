/** The ingest tier: listeners append what they receive to segment files, and nothing more. */
@NullMarked
package io.cordwood.ingest;

import org.jspecify.annotations.NullMarked;
