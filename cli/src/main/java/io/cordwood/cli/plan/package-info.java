/**
 * {@code cordwood plan}: reads what a cluster is to do, measures lines or a cluster that runs, and
 * prints what the capacity model says: {@link Parameter}s that were measured, {@link Figure}s with
 * their formulas, and how many nodes a load takes. The model is arithmetic alone.
 *
 * <pre>
 *   LoadFlags, MachineFlags, CostFlags ──► PlanCommand ──► Plan ──┬──► PlanText
 *                              │                            │     └──► PlanJson
 *                              │                            ▼
 *                              │      Load, Machine, Parameters ──► Sizing ──► Cluster ──► Figure ──► Formula
 *                              │                                       └──► Limit
 *                              └──► Corpus, MeasuredCluster ◄── Counters
 * </pre>
 */
@NullMarked
package io.cordwood.cli.plan;

import org.jspecify.annotations.NullMarked;
