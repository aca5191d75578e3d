/** {@code cordwood backup} and {@code cordwood restore}: a node's data folder, kept elsewhere. */
@NullMarked
package io.cordwood.dist.backup;

import org.jspecify.annotations.NullMarked;
