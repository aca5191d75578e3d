/** Tests that run the programs as processes. */
@NullMarked
package io.cordwood.it;

import org.jspecify.annotations.NullMarked;
