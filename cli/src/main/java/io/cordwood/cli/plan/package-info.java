/**
 * {@code cordwood plan}: reads what a cluster is to do, measures lines or a cluster that runs, and
 * prints what the model of {@link io.cordwood.cli.capacity} says.
 *
 * <pre>
 *   LoadFlags, MachineFlags, CostFlags ──► PlanCommand ──► Plan ──┬──► PlanText
 *                              │                                  └──► PlanJson
 *                              └──► Corpus, MeasuredCluster ◄── Counters
 * </pre>
 */
@NullMarked
package io.cordwood.cli.plan;

import org.jspecify.annotations.NullMarked;
