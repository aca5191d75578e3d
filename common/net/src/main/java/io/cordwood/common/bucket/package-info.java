/** A place for objects that outlive the disks of nodes: a bucket of S3, or a folder. */
@NullMarked
package io.cordwood.common.bucket;

import org.jspecify.annotations.NullMarked;
