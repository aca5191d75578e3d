/** Tests that run the programs as processes. */
@NullMarked
package io.cordwood.dist.system;

import org.jspecify.annotations.NullMarked;
