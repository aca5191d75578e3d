/**
 * The capacity model: {@link Parameter}s that were measured, {@link Figure}s with their formulas,
 * and how many nodes a load takes. Only arithmetic. Knows no other package.
 *
 * <pre>
 *   Load, Machine, Parameters ──► Sizing ──► Cluster ──► Figure ──► Formula
 *                                    │
 *                                    └──► Limit
 * </pre>
 */
@NullMarked
package io.cordwood.cli.capacity;

import org.jspecify.annotations.NullMarked;
