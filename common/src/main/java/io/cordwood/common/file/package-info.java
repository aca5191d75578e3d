/** The file-system seam: what the tiers ask of a disk, and what it promises them. */
@NullMarked
package io.cordwood.common.file;

import org.jspecify.annotations.NullMarked;
