/**
 * Rules that a node watches itself, and how they stand, for the page and for programs.
 *
 * <pre>
 *   NodeRules ──► WatchedFiles (the file of rules)
 *      ├──► Watch ──► OwnCounts ──► OwnQuestions (the node's own query path)
 *      └──◄ AlertsRoute ──► AlertsJson
 * </pre>
 */
@NullMarked
package io.cordwood.dist.rules;

import org.jspecify.annotations.NullMarked;
