/** The programs: one command a role, each wired from the parts of the other modules. */
@NullMarked
package io.cordwood.dist;

import org.jspecify.annotations.NullMarked;
