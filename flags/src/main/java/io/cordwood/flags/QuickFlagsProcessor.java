package io.cordwood.flags;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Stream;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;
import javax.tools.Diagnostic;

/**
 * Writes, for each command that implements {@code QuickCommand}, and for each class that such a
 * command has flags from, a class that sets and shows these flags without picocli. What it cannot
 * write is an error of the compiler, at the field.
 */
public final class QuickFlagsProcessor extends AbstractProcessor {
  private static final String COMMAND = "io.cordwood.cli.program.QuickCommand";

  private final Set<TypeElement> written = new HashSet<>();

  @Override
  public Set<String> getSupportedAnnotationTypes() {
    return Set.of(Flag.ANNOTATION, QuickClass.MIXIN);
  }

  @Override
  public SourceVersion getSupportedSourceVersion() {
    return SourceVersion.latest();
  }

  @Override
  public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
    Elements elements = processingEnv.getElementUtils();
    TypeElement command = elements.getTypeElement(COMMAND);
    if (command != null) {
      commands(round, command).forEach(this::writeAllOf);
    }
    return false;
  }

  private Stream<TypeElement> commands(RoundEnvironment round, TypeElement command) {
    return ElementFilter.typesIn(round.getRootElements()).stream()
        .filter(type -> type.getKind().isClass())
        .filter(type -> processingEnv.getTypeUtils().isAssignable(type.asType(), command.asType()));
  }

  private void writeAllOf(TypeElement command) {
    Types types = processingEnv.getTypeUtils();
    Queue<TypeElement> left = new ArrayDeque<>();
    left.add(command);
    for (TypeElement each = left.poll(); each != null; each = left.poll()) {
      if (written.add(each)) {
        QuickClass quick = QuickClass.of(each, types);
        write(quick);
        quick.others(types).forEach(left::add);
      }
    }
  }

  private void write(QuickClass quick) {
    Elements elements = processingEnv.getElementUtils();
    String name = QuickClass.nameFor(quick.of(), elements);
    try {
      String source = quick.source(processingEnv.getTypeUtils(), elements);
      try (Writer out = processingEnv.getFiler().createSourceFile(name, quick.of()).openWriter()) {
        out.write(source);
      }
    } catch (UnknownFlagException e) {
      report(String.valueOf(e.getMessage()), e.place());
    } catch (IOException e) {
      throw new UncheckedIOException("expected to write " + name, e);
    }
  }

  private void report(String message, Element place) {
    processingEnv.getMessager().printMessage(Diagnostic.Kind.ERROR, message, place);
  }
}
