/** {@code cordwood ca}: certificates for people who have none. */
@NullMarked
package io.cordwood.cli.ca;

import org.jspecify.annotations.NullMarked;
