/** Segments that are kept in a bucket: what they are called, and how they get there and back. */
@NullMarked
package io.cordwood.common.cold;

import org.jspecify.annotations.NullMarked;
