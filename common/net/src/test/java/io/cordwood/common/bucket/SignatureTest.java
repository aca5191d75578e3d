package io.cordwood.common.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Signatures are those of Amazon's reference, and of its own SDK (botocore 1.43.11). */
final class SignatureTest {
  private static final String EMPTY = ObjectContent.of(new byte[0]).sha256Hex();
  private static final AccessKey REFERENCE =
      new AccessKey("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");
  private static final Instant REFERENCE_TIME = Instant.parse("2013-05-24T00:00:00Z");
  private static final Instant SDK_TIME = Instant.parse("2026-11-27T23:59:59Z");

  private static AccessKey sdkKey(Optional<String> token) {
    return new AccessKey(
        "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", token, Optional.empty());
  }

  private static Signature.Request request(
      String method,
      String path,
      Map<String, String> query,
      Map<String, String> headers,
      String hash) {
    return new Signature.Request(method, path, new TreeMap<>(query), new TreeMap<>(headers), hash);
  }

  private static String reference(Signature.Request request) {
    return signature(Signature.sign(request, REFERENCE, "us-east-1", REFERENCE_TIME));
  }

  private static String signature(SortedMap<String, String> headers) {
    String text = headers.getOrDefault("authorization", "");
    return text.substring(text.indexOf("Signature=") + "Signature=".length());
  }

  @Test
  void referenceSignsAGetOfARange() {
    var headers = Map.of("host", "examplebucket.s3.amazonaws.com", "range", "bytes=0-9");
    assertThat(reference(request("GET", "/test.txt", Map.of(), headers, EMPTY)))
        .isEqualTo("f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  }

  @Test
  void referenceSignsAPut() {
    var headers =
        Map.of(
            "host", "examplebucket.s3.amazonaws.com",
            "date", "Fri, 24 May 2013 00:00:00 GMT",
            "x-amz-storage-class", "REDUCED_REDUNDANCY");
    String hash =
        ObjectContent.of("Welcome to Amazon S3.".getBytes(StandardCharsets.UTF_8)).sha256Hex();
    String path = Signature.encode("/test$file.text", true);
    assertThat(reference(request("PUT", path, Map.of(), headers, hash)))
        .isEqualTo("98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
  }

  @Test
  void referenceSignsParametersWithAndWithoutValues() {
    var host = Map.of("host", "examplebucket.s3.amazonaws.com");
    assertThat(reference(request("GET", "/", Map.of("lifecycle", ""), host, EMPTY)))
        .isEqualTo("fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
    assertThat(reference(request("GET", "/", Map.of("max-keys", "2", "prefix", "J"), host, EMPTY)))
        .isEqualTo("34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
  }

  @Test
  void sdkSignsThatPutOfASession() {
    var headers = Map.of("host", "127.0.0.1:9000", "x-amz-server-side-encryption", "AES256");
    String path = Signature.encode("/logs/years/v1/2026-11-27/all/a b+c.cws", true);
    var put =
        request(
            "PUT",
            path,
            Map.of(),
            headers,
            ObjectContent.of("hello".getBytes(StandardCharsets.UTF_8)).sha256Hex());
    var key = sdkKey(Optional.of("IQoJb3JpZ2luX2VjEXAMPLE=="));
    assertThat(Signature.sign(put, key, "eu-central-1", SDK_TIME))
        .containsEntry("x-amz-date", "20261127T235959Z")
        .containsEntry(
            "authorization",
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261127/eu-central-1/s3/aws4_request,"
                + "SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token;"
                + "x-amz-server-side-encryption,Signature="
                + "8d32de1f13d3c6f38a0b3fa21c40a15a474d273d69f8ee73e6cb211a275a1a00");
  }

  @Test
  void sdkSignsThatListAndThatTail() {
    var host = Map.of("host", "127.0.0.1:9000");
    var query = Map.of("list-type", "2", "prefix", "years/v1/", "start-after", "years/v1/a +~b");
    var list = request("GET", "/logs", query, host, EMPTY);
    assertThat(list.queryText())
        .isEqualTo("list-type=2&prefix=years%2Fv1%2F&start-after=years%2Fv1%2Fa%20%2B~b");
    AccessKey key = sdkKey(Optional.empty());
    assertThat(signature(Signature.sign(list, key, "eu-central-1", SDK_TIME)))
        .isEqualTo("5d8f069aa9e9195ece84270769b59c5bb0adad00f093f8786ca9dc0be14fcbfb");
    var range = Map.of("host", "127.0.0.1:9000", "range", "bytes=-4096");
    var tail = request("GET", "/logs/years/v1/x.cws", Map.of(), range, EMPTY);
    assertThat(signature(Signature.sign(tail, key, "eu-central-1", SDK_TIME)))
        .isEqualTo("94e43446c7bfd5d96135f97cfd232c8b8cb4566e6af1845d519294f7cc0f97bf");
  }
}
