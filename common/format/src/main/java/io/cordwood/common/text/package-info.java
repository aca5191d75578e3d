/**
 * Times, lengths of time and sizes as people write them, the same in flags, parameters and
 * messages.
 */
@NullMarked
package io.cordwood.common.text;

import org.jspecify.annotations.NullMarked;
