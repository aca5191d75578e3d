/**
 * An annotation processor: from picocli's annotations it writes the classes that set flags without
 * picocli. Used while {@code cordwood-dist} is compiled, and in no program.
 *
 * <pre>
 *   @Option fields ──► Flag ─────┐
 *   @Mixin fields ───────────────┴──► QuickClass ──► QuickGrepFlags.java …
 * </pre>
 */
@NullMarked
package io.cordwood.flags;

import org.jspecify.annotations.NullMarked;
