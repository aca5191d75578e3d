/**
 * Alerts: counts records again and again, decides by rules, and sends what has changed. Knows
 * neither flags nor nodes, so that a node may run it as well as a command.
 *
 * <pre>
 *   Watch ──► Schedule ──► Counts (a node) ──► Counted
 *     │                                          ▼
 *     ├──► StateFile ◄─────────────────────► RuleState ──► AlertState
 *     │                                          ▲
 *     └──► Delivery ◄── owed alerts ─────────────┘
 *             └──► Target: webhook, Alertmanager, a command
 * </pre>
 */
@NullMarked
package io.cordwood.cli.alert;

import org.jspecify.annotations.NullMarked;
