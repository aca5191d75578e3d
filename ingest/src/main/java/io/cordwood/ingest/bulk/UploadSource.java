package io.cordwood.ingest.bulk;

import io.cordwood.ingest.SenderRights;
import java.io.InputStream;
import java.util.function.BooleanSupplier;

/**
 * The source of an upload.
 *
 * @param bytes whose end is the upload's end, and whose failure that its sender left; may throw
 *     {@link java.net.SocketTimeoutException} now and then while nothing comes
 * @param closing whether the node takes no more
 * @param fromSocket whether it came without HTTP, so that an HTTP request is a mistake
 * @param rights of the sender, as far as they were shown
 */
record UploadSource(
    InputStream bytes, BooleanSupplier closing, boolean fromSocket, SenderRights rights) {}
