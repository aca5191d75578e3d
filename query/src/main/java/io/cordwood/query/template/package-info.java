/** Texts with actions in them, as far as LogQL's formats use Go's templates. */
@NullMarked
package io.cordwood.query.template;

import org.jspecify.annotations.NullMarked;
