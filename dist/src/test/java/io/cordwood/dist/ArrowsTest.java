package io.cordwood.dist;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.junit.jupiter.api.Test;

/**
 * Who may know whom.
 *
 * <pre>
 *   dist ──► ingest, store, query ──► common        dist ──► forwarder ──► JDK only
 * </pre>
 */
final class ArrowsTest {
  private static final String COMMON = "io.cordwood.common..";
  private static final String HTTP = "io.cordwood.common.http..";
  private static final String[] TIERS = {
    "io.cordwood.ingest..", "io.cordwood.store..", "io.cordwood.query.."
  };

  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.cordwood");

  @Test
  void allModulesAreSeen() {
    for (String module : new String[] {"common.http", "ingest", "store", "query", "forwarder"}) {
      org.assertj.core.api.Assertions.assertThat(ALL)
          .anyMatch(c -> c.getPackageName().equals("io.cordwood." + module));
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
  void forwarderKnowsTheJdkOnly() {
    check(
        noClasses()
            .that()
            .resideInAPackage("io.cordwood.forwarder..")
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages("io.cordwood.forwarder..", "java..", "org.jspecify.."));
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
