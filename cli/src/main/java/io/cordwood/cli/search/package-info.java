/**
 * The commands that look for records: grep, tail, read, histogram, stats and topics, each its flags
 * and what it does by them. May know {@code client} and {@code files}.
 */
@NullMarked
package io.cordwood.cli.search;

import org.jspecify.annotations.NullMarked;
