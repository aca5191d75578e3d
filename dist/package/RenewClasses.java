import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;

/**
 * Run by the build, on the jars of the programs: picocli's classes become such of today's format.
 * They are of Java 5, and the JVM keeps no such class ready in a cache, but verifies each anew at
 * each start, in an old way. What they do is the same.
 */
final class RenewClasses {
  private static final ClassTransform RENEWED =
      ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL)
          .andThen(
              ClassTransform.endHandler(
                  made -> made.withVersion(ClassFile.latestMajorVersion(), 0)));

  private RenewClasses() {}

  public static void main(String[] folder) throws IOException {
    try (Stream<Path> files = Files.list(Path.of(folder[0]))) {
      for (Path jar : files.filter(file -> file.toString().endsWith(".jar")).sorted().toList()) {
        try (FileSystem contents = FileSystems.newFileSystem(jar)) {
          Path classes = contents.getPath("/picocli");
          if (Files.exists(classes)) {
            renewAll(classes);
          }
        }
      }
    }
  }

  private static void renewAll(Path classes) throws IOException {
    ClassFile format =
        ClassFile.of(
            StackMapsOption.GENERATE_STACK_MAPS,
            ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(type -> open(classes, type))
                    .orElse(ClassHierarchyResolver.defaultResolver())));
    List<Path> all;
    try (Stream<Path> files = Files.walk(classes)) {
      all = files.filter(file -> file.toString().endsWith(".class")).toList();
    }
    for (Path file : all) {
      FileTime time = Files.getLastModifiedTime(file);
      Files.write(file, format.transformClass(format.parse(Files.readAllBytes(file)), RENEWED));
      Files.setLastModifiedTime(file, time);
    }
  }

  private static InputStream open(Path classes, ClassDesc type) {
    Path file =
        classes.resolve("/" + type.packageName().replace('.', '/'), type.displayName() + ".class");
    try {
      return Files.exists(file) ? Files.newInputStream(file) : null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
