/** Records counted and measured by the values of their fields: {@code /stats}. */
@NullMarked
package io.cordwood.query.groups;

import org.jspecify.annotations.NullMarked;
