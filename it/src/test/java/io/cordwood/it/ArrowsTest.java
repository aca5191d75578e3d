package io.cordwood.it;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Who may know whom.
 *
 * <pre>
 *   dist ──► ingest, store, query ──► common: cluster ──► net ──► format ──► wire
 *   dist ──► agent ──► cli ──► query, forwarder
 *   spring ──► log4j2, logback ──► forwarder ──► common: wire ──► JDK only
 *
 *   in ingest: node ──► push ──► bulk ──► sender ──► mode, unconsumed ──► segment ──► (its root)
 *   in query:  api ──► loki ──► histogram, groups, tail, logql ──► http ──► gather
 *                  ──► scan, wire ──► result ──► request ──► (its root) ──► fields, template ──► match
 *   in store:  node ──► consume, repair ──► replicate, keep, cold ──► segment, claim ──► (its root)
 *   in agent:  (its root) ──► journal, follow ──► pods
 *   in cli:    search, transfer, watch, testsvc, manual, token, ca, secret, cold, plan
 *                  ──► client, files, alert
 *                  ──► records, segment ──► terminal, question, encoding, kubernetes
 *                  ──► program
 *   in dist:   (its root) ──► server, backup
 *              server ──► page, rules
 * </pre>
 */
final class ArrowsTest {
  private static final String COMMON = "io.cordwood.common..";
  private static final String WIRE = "io.cordwood.common.wire..";
  private static final String HTTP = "io.cordwood.common.http..";

  /** The most classes that lead to each other within a package, and the most such circles. */
  private static final int MAX_CLASSES_OF_CIRCLE = 6;

  private static final int MAX_CIRCLES = 20;

  private static final String[] TIERS = {
    "io.cordwood.ingest..", "io.cordwood.store..", "io.cordwood.query.."
  };

  /**
   * The packages of a module, from what knows no other to what may know all; those side by side do
   * not know each other.
   */
  record Layers(String module, List<Set<String>> packages) {
    /**
     * @param module also the name of its own package
     * @param lowestFirst names in the module, a dot for its own package
     */
    static Layers of(String module, String... lowestFirst) {
      Function<String, String> full = name -> name.equals(".") ? module : module + "." + name;
      return new Layers(
          module,
          Stream.of(lowestFirst)
              .map(layer -> Stream.of(layer.split(" ")).map(full).collect(Collectors.toSet()))
              .toList());
    }
  }

  private static List<Layers> layers() {
    return List.of(
        Layers.of(
            "io.cordwood.ingest",
            ".",
            "segment",
            "unconsumed mode",
            "sender socket",
            "bulk",
            "push protobuf",
            "event",
            "json",
            "message",
            "syslog gelf",
            "loki jsonline splunk datadog fluent journald elastic otlp",
            "node"),
        Layers.of(
            "io.cordwood.query",
            "match",
            "fields template",
            ".",
            "request",
            "result",
            "scan wire",
            "gather",
            "http",
            "histogram tail groups logql",
            "loki",
            "api"),
        Layers.of(
            "io.cordwood.store",
            ".",
            "segment claim",
            "replicate keep cold",
            "consume repair",
            "node"),
        Layers.of(
            "io.cordwood.cli",
            "program",
            "terminal question encoding kubernetes",
            "records segment",
            "client files alert",
            "search testsvc manual token ca secret transfer watch cold plan"),
        Layers.of("io.cordwood.agent", "pods journal", "follow", "."),
        Layers.of("io.cordwood.dist", "page rules", "server backup", "."));
  }

  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.cordwood");

  @Test
  void allModulesAreSeen() {
    for (String module :
        new String[] {"common.http.server", "ingest", "store", "query", "forwarder"}) {
      assertThat(ALL).anyMatch(c -> c.getPackageName().equals("io.cordwood." + module));
    }
  }

  @Test
  void commonKnowsNoOtherModule() {
    check(
        noClasses()
            .that()
            .resideInAPackage(COMMON)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                TIERS[0], TIERS[1], TIERS[2], "io.cordwood.dist..", "io.cordwood.forwarder.."));
  }

  @Test
  void tiersDoNotKnowEachOther() {
    for (String tier : TIERS) {
      for (String other : TIERS) {
        if (!tier.equals(other)) {
          checkNoArrow(tier, other);
        }
      }
      checkNoArrow(tier, "io.cordwood.dist..");
      checkNoArrow(tier, "io.cordwood.forwarder..");
    }
  }

  @Test
  void wireKnowsTheJdkOnly() {
    check(
        noClasses()
            .that()
            .resideInAPackage(WIRE)
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages(WIRE, "java..", "org.jspecify.."));
  }

  @Test
  void forwarderKnowsTheWireAndTheJdkOnly() {
    check(
        noClasses()
            .that()
            .resideInAPackage("io.cordwood.forwarder..")
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages(
                "io.cordwood.forwarder..", WIRE, "java..", "javax.net.ssl..", "org.jspecify.."));
  }

  @Test
  void appendersKnowTheForwarderAndTheirFrameworkOnly() {
    for (String framework : new String[] {"log4j2", "logback"}) {
      String own = "io.cordwood." + framework + "..";
      String theirs =
          framework.equals("logback") ? "ch.qos.logback.core.." : "org.apache.logging..";
      assertThat(ALL).anyMatch(c -> c.getPackageName().equals("io.cordwood." + framework));
      check(
          noClasses()
              .that()
              .resideInAPackage(own)
              .should()
              .dependOnClassesThat()
              .resideOutsideOfPackages(
                  own,
                  theirs,
                  "io.cordwood.forwarder..",
                  "java..",
                  "javax.net.ssl..",
                  "org.jspecify.."));
    }
  }

  @Test
  void starterKnowsTheAppendersAndNoNode() {
    assertThat(ALL).anyMatch(c -> c.getPackageName().equals("io.cordwood.spring"));
    check(
        noClasses()
            .that()
            .resideInAPackage("io.cordwood.spring..")
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages(
                "io.cordwood.spring..",
                "io.cordwood.forwarder..",
                "io.cordwood.log4j2..",
                "io.cordwood.logback..",
                "org.springframework..",
                "org.apache..",
                "org.slf4j..",
                "ch.qos.logback..",
                "io.micrometer..",
                "java..",
                "org.jspecify.."));
  }

  @Test
  void onlyCommonHttpTouchesHttp() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(HTTP)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty.handler.codec.http..", "java.net.http.."));
  }

  @Test
  void serverAndClientOfHttpDoNotKnowEachOther() {
    checkNoArrow("io.cordwood.common.http.server", "io.cordwood.common.http.client");
    checkNoArrow("io.cordwood.common.http.client", "io.cordwood.common.http.server");
    checkNoArrow("io.cordwood.common.http", "io.cordwood.common.http.(*)");
  }

  @Test
  void onlyCommonClusterTouchesScalecube() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("io.cordwood.common.cluster..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.scalecube..", "reactor.."));
  }

  @Test
  void nobodyReadsSerializedObjects() {
    check(
        noClasses()
            .should()
            .callConstructor(java.io.ObjectInputStream.class, java.io.InputStream.class));
  }

  @Test
  void packagesOfCommonHaveNoCycles() {
    check(
        SlicesRuleDefinition.slices()
            .matching("io.cordwood.common.(*)..")
            .should()
            .beFreeOfCycles());
  }

  /** Those that know each other can only be understood, tested and moved together. */
  @Test
  void circlesOfClassesWithinPackagesAreSmallAndFew() {
    Set<Set<String>> circles = Circles.withinPackages(ALL);
    assertThat(circles)
        .hasSizeLessThanOrEqualTo(MAX_CIRCLES)
        .allSatisfy(circle -> assertThat(circle).hasSizeLessThanOrEqualTo(MAX_CLASSES_OF_CIRCLE));
  }

  @ParameterizedTest
  @MethodSource("layers")
  void everyPackageHasALayer(Layers layers) {
    Set<String> found =
        ALL.stream()
            .map(JavaClass::getPackageName)
            .filter(name -> (name + ".").startsWith(layers.module() + "."))
            .collect(Collectors.toSet());
    assertThat(layers.packages().stream().flatMap(Set::stream))
        .containsExactlyInAnyOrderElementsOf(found);
  }

  @ParameterizedTest
  @MethodSource("layers")
  void packagesKnowOnlyLayersBelow(Layers layers) {
    for (int layer = 0; layer < layers.packages().size(); layer++) {
      List<String> notBelow = layers.packages().stream().skip(layer).flatMap(Set::stream).toList();
      for (String from : layers.packages().get(layer)) {
        notBelow.stream().filter(to -> !to.equals(from)).forEach(to -> checkNoArrow(from, to));
      }
    }
  }

  private static void checkNoArrow(String from, String to) {
    check(
        noClasses()
            .that()
            .resideInAPackage(from)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(to));
  }

  private static void check(ArchRule rule) {
    rule.check(ALL);
  }
}
