/** Used by the tests of all modules. */
@NullMarked
package io.cordwood.common.testing;

import org.jspecify.annotations.NullMarked;
