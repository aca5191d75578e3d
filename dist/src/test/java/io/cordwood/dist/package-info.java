@NullMarked
package io.cordwood.dist;

import org.jspecify.annotations.NullMarked;
