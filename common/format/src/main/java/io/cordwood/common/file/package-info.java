/**
 * The file-system seam: what the tiers ask of a disk, and what it promises them; and which of what
 * was read from it stays in memory.
 */
@NullMarked
package io.cordwood.common.file;

import org.jspecify.annotations.NullMarked;
