package io.cordwood.sim;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Loads the gossip library, what it stands on and all of this project anew: with schedulers of
 * their own, and with {@link SeededDraws} where they draw from {@link ThreadLocalRandom}, shuffle,
 * or make a {@link UUID}.
 */
final class SeedingLoader extends ClassLoader {
  private static final List<String> OWN = List.of("io.scalecube.", "reactor.", "io.cordwood.");
  private static final List<String> DRAWING =
      List.of("io.scalecube.cluster.", "io.cordwood.common.cluster.");

  private static final ClassDesc DRAWS = ClassDesc.of(SeededDraws.class.getName());
  private static final ClassDesc RANDOM = ClassDesc.of(Random.class.getName());
  private static final String LOCAL_RANDOM = ThreadLocalRandom.class.getName().replace('.', '/');

  SeedingLoader(ClassLoader parent) {
    super("seeding", parent);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (OWN.stream().noneMatch(name::startsWith)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (file == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = file.readAllBytes();
      byte[] seeded = DRAWING.stream().anyMatch(name::startsWith) ? seeded(bytes) : bytes;
      return defineClass(name, seeded, 0, seeded.length, getClass().getProtectionDomain());
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private static byte[] seeded(byte[] bytes) {
    ClassFile classes = ClassFile.of();
    return classes.transformClass(
        classes.parse(bytes), ClassTransform.transformingMethodBodies(SeedingLoader::seed));
  }

  private static void seed(CodeBuilder code, CodeElement element) {
    if (!(element instanceof InvokeInstruction call)) {
      code.with(element);
      return;
    }
    String owner = call.owner().asInternalName();
    String method = owner + '.' + call.name().stringValue();
    if (method.equals(LOCAL_RANDOM + ".current")) {
      code.invokestatic(DRAWS, "current", MethodTypeDesc.of(RANDOM));
    } else if (owner.equals(LOCAL_RANDOM)) {
      code.invokevirtual(RANDOM, call.name().stringValue(), call.typeSymbol());
    } else if (method.equals("java/util/UUID.randomUUID")) {
      code.invokestatic(DRAWS, "randomUUID", call.typeSymbol());
    } else if (method.equals("java/util/Collections.shuffle")) {
      code.invokestatic(
          DRAWS, "shuffle", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_List));
    } else {
      code.with(element);
    }
  }
}
