/** Fields of records, found when they are asked for: nothing is parsed before. */
@NullMarked
package io.cordwood.query.fields;

import org.jspecify.annotations.NullMarked;
