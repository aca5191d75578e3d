/** JSON as it is written and read everywhere, unless a reader has limits of its own. */
@NullMarked
package io.cordwood.common.json;

import org.jspecify.annotations.NullMarked;
