/**
 * The programs, wired from the parts of the other modules: {@link Cordwood} is all of them in one.
 *
 * <pre>
 *   (this one)   all commands in one
 *   server       the commands that are nodes
 *   backup       copies of a node's data
 *   page         what browsers are shown
 * </pre>
 */
@NullMarked
package io.cordwood.dist;

import org.jspecify.annotations.NullMarked;
