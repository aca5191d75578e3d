package io.cordwood.it;

/** Scripts that measure what a page looks like. */
final class PageProbes {
  /**
   * Texts that are seen and stand out less than WCAG's level AA asks for: 4.5 to 1, or 3 to 1 where
   * they are large.
   */
  static final String FAINT_TEXTS =
      """
      (() => {
        const parse = c => c.match(/[\\d.]+/g).map(Number);
        const over = (top, below) => {
          const a = top[3] ?? 1;
          return [0, 1, 2].map(i => top[i] * a + below[i] * (1 - a));
        };
        const ground = e => {
          const layers = [];
          for (let at = e; at; at = at.parentElement) {
            layers.push(parse(getComputedStyle(at).backgroundColor));
          }
          return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
        };
        const opacity = e => {
          let all = 1;
          for (let at = e; at; at = at.parentElement) all *= Number(getComputedStyle(at).opacity);
          return all;
        };
        const light = c => c.map(x => x / 255)
          .map(x => (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4))
          .reduce((sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0);
        const faint = new Set();
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
          const e = texts.currentNode.parentElement;
          const text = texts.currentNode.textContent.trim();
          if (!text || !e.checkVisibility({ opacityProperty: true }) || e.closest('svg')) continue;
          const style = getComputedStyle(e);
          const paper = ground(e);
          const ink = parse(style.color);
          const seen = over([...ink.slice(0, 3), (ink[3] ?? 1) * opacity(e)], paper);
          const [a, b] = [light(seen), light(paper)].sort((x, y) => y - x);
          const size = parseFloat(style.fontSize);
          const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
          const ratio = (a + 0.05) / (b + 0.05);
          if (ratio < (large ? 3 : 4.5)) {
            faint.add(`${ratio.toFixed(2)} ${e.tagName}.${e.className} ${text.slice(0, 40)}`);
          }
        }
        return [...faint].join('\\n');
      })()
      """;

  /** What can be used and has no name that a screen reader could say. */
  static final String NAMELESS =
      """
      [...document.querySelectorAll('button, input, select, a, progress, [tabindex="0"]')]
        .filter(e => e.checkVisibility())
        .filter(e => !['aria-label', 'aria-labelledby', 'title'].some(a => e.getAttribute(a)))
        .filter(e => !e.innerText?.trim())
        .map(e => e.outerHTML.slice(0, 100)).join('\\n')
      """;

  /** Makes {@code million}, a list of a million rows and its way to wait for what is drawn. */
  static final String A_MILLION_ROWS =
      """
      (async () => {
        const { List } = await import('/page/list.js');
        const { HeldRecords } = await import('/page/records.js');
        const scroller = document.createElement('div');
        Object.assign(scroller.style, { position: 'fixed', inset: '0', overflowY: 'scroll' });
        document.body.append(scroller);
        const ulid = i => String(i).padStart(26, '0');
        const record = i => ({ ulid: ulid(i), topic: 't', text: `row ${i}`, bytes: null });
        const rows = new HeldRecords();
        rows.append(Array.from({ length: 1_000_000 }, (_, i) => record(i)));
        const list = new List(scroller, rows, r => {
          const e = document.createElement('div');
          e.className = 'item';
          e.textContent = r.text;
          return e;
        });
        list.reset(true);
        const frame = () => new Promise(requestAnimationFrame);
        const drawn = () => frame().then(frame);
        window.million = { list, rows, scroller, record, drawn,
          top: () => rows.placeOf(list.firstSeen),
          elements: () => scroller.childElementCount,
          sees: text => [...scroller.children].some(e => {
            const box = e.getBoundingClientRect();
            return e.textContent === text && box.top >= 0 && box.bottom <= innerHeight + 1;
          }) };
      })()
      """;

  /**
   * Changes records that a page holds at random, and an array; says how they differ, or nothing.
   */
  static final String HELD_RECORDS =
      """
      (async () => {
        const { HeldRecords } = await import('/page/records.js');
        let seed = 1;
        const random = n => {
          seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
          return Math.floor((seed / 2 ** 32) * n); // Its last bits would come in turn.
        };
        const record = i => ({ ulid: String(i).padStart(26, '0'), topic: 't', text: 'x' });
        const some = next => Array.from({ length: random(30) }, () => record(next()));
        const held = new HeldRecords(8);
        let model = [];
        for (let step = 0; step < 3000; step++) {
          const [low, high] = [Number(model[0]?.ulid ?? 1e6), Number(model.at(-1)?.ulid ?? 1e6)];
          let at = [low, high];
          const act = random(6);
          if (act === 0) {
            const more = some(() => (at[0] -= 2)).reverse();
            held.prepend([...more]);
            model = [...more, ...model];
          } else if (act < 4) {
            const more = some(() => (at[1] += 2));
            held.append(more);
            model = [...model, ...more];
          } else if (act === 4) {
            const one = record(low + random(high - low + 1));
            held.append([one]);
            if (!model.some(each => each.ulid === one.ulid)) model.push(one);
            model.sort((a, b) => (a.ulid < b.ulid ? -1 : 1));
          } else {
            const many = Math.min(model.length, random(150)); // More than come: it stays short.
            const isOlder = random(2) === 0;
            held.drop(isOlder ? 'older' : 'newer', many);
            model = isOlder ? model.slice(many) : model.slice(0, model.length - many);
          }
          const text = records => records.map(each => each.ulid).join();
          const places = model.map((_, i) => held.at(i));
          for (const [found, wanted] of [[[...held], model], [places, model],
              [held.newest(9), model.slice(-9)], [model.map(r => held.at(held.placeOf(r))), model],
              [[held.at(-1), held.at(0)].filter(Boolean),
                [model.at(-1), model[0]].filter(Boolean)]]) {
            if (text(found) !== text(wanted) || held.size !== model.length) {
              return `step ${step}, ${act}: expected ${text(wanted)}, found ${text(found)}`;
            }
          }
          if (held.at(model.length) !== undefined) return `step ${step}: more than there are`;
        }
        return '';
      })()
      """;

  private PageProbes() {}
}
