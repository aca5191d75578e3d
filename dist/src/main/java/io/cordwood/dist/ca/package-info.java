/** {@code cordwood ca}: certificates for people who have none. */
@NullMarked
package io.cordwood.dist.ca;

import org.jspecify.annotations.NullMarked;
