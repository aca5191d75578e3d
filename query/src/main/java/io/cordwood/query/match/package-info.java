/** Matchers: how a pattern is searched for in a whole block of records at once. */
@NullMarked
package io.cordwood.query.match;

import org.jspecify.annotations.NullMarked;
