package io.cordwood.it;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Circles of classes: each class of one leads to all others of it, by way of some of them. */
final class Circles {
  private final Map<String, Set<String>> known = new TreeMap<>();

  private Circles() {}

  /** Circles of more than one class, of top-level classes that are in one package. */
  static Set<Set<String>> withinPackages(Iterable<JavaClass> classes) {
    var circles = new Circles();
    for (JavaClass from : classes) {
      for (Dependency each : from.getDirectDependenciesFromSelf()) {
        JavaClass to = each.getTargetClass().getBaseComponentType();
        if (to.getPackageName().equals(from.getPackageName())) {
          circles.add(topLevel(from), topLevel(to));
        }
      }
    }
    return circles.found();
  }

  private static String topLevel(JavaClass any) {
    return any.getName().split("\\$", 2)[0];
  }

  private void add(String from, String to) {
    if (!from.equals(to)) {
      known.computeIfAbsent(from, _ -> new TreeSet<>()).add(to);
    }
  }

  private Set<Set<String>> found() {
    Map<String, Set<String>> reached = new TreeMap<>();
    known.keySet().forEach(each -> reached.put(each, reachedFrom(each)));
    Set<Set<String>> found = new LinkedHashSet<>();
    reached.forEach((one, others) -> {
      if (others.contains(one)) {
        found.add(
            others.stream()
                .filter(it -> reached.getOrDefault(it, Set.of()).contains(one))
                .collect(Collectors.toCollection(TreeSet::new)));
      }
    });
    return found;
  }

  private Set<String> reachedFrom(String start) {
    Set<String> reached = new TreeSet<>();
    Deque<String> left = new ArrayDeque<>(Set.of(start));
    while (!left.isEmpty()) {
      known.getOrDefault(left.pop(), Set.of()).stream().filter(reached::add).forEach(left::add);
    }
    return reached;
  }
}
