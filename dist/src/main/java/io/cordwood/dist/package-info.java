/**
 * The programs, each wired from the parts of the other modules: {@link Cordwood} is all of them in
 * one. Every arrow ends at a package farther down.
 *
 * <pre>
 *   (this one)          all commands in one
 *   search              grep, tail, read, histogram, stats, topics
 *   server              the commands that are nodes
 *   forward, testsvc    lines to nodes; lines to try it with
 *   manual              man pages and completion
 *   client, files       where search looks: nodes, or files
 *   records, segment    what is printed of records; what is in a segment
 *   terminal, question  where it is printed; what is asked
 *   page                what browsers are shown
 *   encoding            texts that are not UTF-8
 *   program             command lines, errors and exit codes
 * </pre>
 */
@NullMarked
package io.cordwood.dist;

import org.jspecify.annotations.NullMarked;
