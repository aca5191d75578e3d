package io.cordwood.query.match;

import io.cordwood.query.match.RegexNode.Assertion;
import io.cordwood.query.match.RegexNode.Chars;
import io.cordwood.query.match.RegexNode.Choice;
import io.cordwood.query.match.RegexNode.Group;
import io.cordwood.query.match.RegexNode.Repeat;
import io.cordwood.query.match.RegexNode.Sequence;

/** Turns a tree into a program, from its end to its beginning. */
final class RegexCompiler {
  private final Program.Builder program = new Program.Builder();
  private final CharacterCompiler characters = new CharacterCompiler(program);

  private RegexCompiler() {}

  /**
   * @throws PatternException if the program would be too large
   */
  static Program compile(RegexNode node) {
    RegexCompiler compiler = new RegexCompiler();
    int body = compiler.emit(node, compiler.program.match());
    int search = compiler.program.split(body, 0);
    // Matches begin between characters, not inside one.
    compiler.program.setOther(search, compiler.characters.emit(CodePoints.ALL, search));
    return compiler.program.build(search);
  }

  /** Emits what matches the node and then goes on at next; returns where it begins. */
  private int emit(RegexNode node, int next) {
    return switch (node) {
      case Chars chars -> characters.emit(chars.set(), next);
      case Assertion assertion -> program.assertion(assertion.kind(), next);
      case Sequence sequence -> emitSequence(sequence, next);
      case Choice choice -> emitChoice(choice, next);
      case Repeat repeat -> emitRepeat(repeat, next);
      case Group group -> emitGroup(group, next);
    };
  }

  private int emitGroup(Group group, int next) {
    int end = program.save(2 * group.index() + 1, next);
    return program.save(2 * group.index(), emit(group.body(), end));
  }

  private int emitSequence(Sequence sequence, int next) {
    int entry = next;
    for (RegexNode part : sequence.parts().reversed()) {
      entry = emit(part, entry);
    }
    return entry;
  }

  private int emitChoice(Choice choice, int next) {
    int entry = emit(choice.branches().getLast(), next);
    for (int i = choice.branches().size() - 2; i >= 0; i--) {
      entry = program.split(emit(choice.branches().get(i), next), entry);
    }
    return entry;
  }

  private int emitRepeat(Repeat repeat, int next) {
    int entry = repeat.max() == RegexNode.UNBOUNDED ? emitLoop(repeat, next) : next;
    for (int i = repeat.min(); i < repeat.max(); i++) {
      int body = emit(repeat.body(), entry);
      if (body == entry) {
        return entry; // the body is empty, and so are a thousand of it
      }
      entry = repeat.greedy() ? program.split(body, next) : program.split(next, body);
    }
    for (int i = 0; i < repeat.min(); i++) {
      int body = emit(repeat.body(), entry);
      if (body == entry) {
        return entry;
      }
      entry = body;
    }
    return entry;
  }

  private int emitLoop(Repeat repeat, int next) {
    int loop = program.split(next, next);
    int body = emit(repeat.body(), loop);
    if (repeat.greedy()) {
      program.setNext(loop, body);
    } else {
      program.setOther(loop, body);
    }
    return loop;
  }
}
