/** Deletions: tombstones, their set that only grows, and the file that each node keeps them in. */
@NullMarked
package io.cordwood.common.deletion;

import org.jspecify.annotations.NullMarked;
