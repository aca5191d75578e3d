/** The page that every node shows; its files are resources of this package. */
@NullMarked
package io.cordwood.dist.page;

import org.jspecify.annotations.NullMarked;
