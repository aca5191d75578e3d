/**
 * Access control: tokens, the file that holds them, how nodes prove that they are of the cluster,
 * and the audit log. Knows nothing of ports or protocols.
 */
@NullMarked
package io.cordwood.common.access;

import org.jspecify.annotations.NullMarked;
