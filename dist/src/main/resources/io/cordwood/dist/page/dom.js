// Elements are made here, of names and texts and never of markup: nothing that a record says is parsed as HTML.

/** An element. Properties: `class`, `on` (listeners by event), `data`, `style` (by name), else attributes. */
export function h(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** The same for drawings. */
export function svg(tag, properties = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") Object.entries(value).forEach(([event, f]) => element.addEventListener(event, f));
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "style") Object.assign(element.style, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined && child !== false && child !== ""));
  return element;
}

export const byId = id => document.getElementById(id);

/** A button with a word on it; what else it does is said by its title. */
export function button(text, click, properties = {}) {
  return h("button", { type: "button", ...properties, on: { click, ...properties.on } }, text);
}

/** Copies a text, also where a page of plain HTTP may not use the clipboard by itself. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea", { class: "offscreen", "aria-hidden": "true" });
    area.value = text;
    (document.querySelector("dialog[open]") ?? document.body).append(area);
    const before = document.activeElement;
    area.select();
    document.execCommand("copy");
    area.remove();
    before?.focus?.({ preventScroll: true });
  }
  say("Copied");
}

let saying = 0;

/** Tells the reader something that has happened, for some seconds, and screen readers too. */
export function say(text) {
  const toast = byId("toast");
  toast.textContent = text;
  toast.hidden = false;
  clearTimeout(saying);
  saying = setTimeout(() => (toast.hidden = true), 4000);
}

/** Gives the browser a file to keep. */
export function keep(name, type, parts) {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Lets the browser do what waits: draw the page, and hear its reader. */
export const pause = () => new Promise(resolve => setTimeout(resolve));

/** Calls a function once, a while after it was last asked for. */
export function later(millis, f) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(f, millis);
  };
}

/** A menu below a button: [text, action] or a node each. It closes by Esc, by a click elsewhere, and by a choice. */
export function menu(opener, entries) {
  const open = document.querySelector(".menu");
  open?.dispatchEvent(new Event("close"));
  if (open?.opener === opener) return;
  const items = entries.map(entry =>
    entry instanceof Node ? entry : button(entry[0], () => { close(); entry[1](); }, { role: "menuitem", title: entry[2] }));
  const isMenu = items.some(item => item.matches("button, a"));
  const box = h("div", { class: "menu", role: isMenu ? "menu" : "group", tabindex: -1 }, ...items);
  box.opener = opener;
  const close = () => {
    box.remove();
    removeEventListener("pointerdown", outside, true);
    opener.setAttribute("aria-expanded", "false");
  };
  const outside = event => box.contains(event.target) || opener.contains(event.target) || close();
  box.addEventListener("close", close);
  box.addEventListener("keydown", event => {
    const all = [...box.querySelectorAll("button, a")];
    const at = all.indexOf(document.activeElement);
    if (event.key === "Escape") { close(); opener.focus(); }
    else if (event.key === "ArrowDown") all[(at + 1) % all.length]?.focus();
    else if (event.key === "ArrowUp") all[(at + all.length - 1) % all.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  box.addEventListener("click", event => event.target.closest("a") && close());
  addEventListener("pointerdown", outside, true);
  opener.setAttribute("aria-expanded", "true");
  document.body.append(box);
  const place = opener.getBoundingClientRect();
  box.style.top = `${Math.min(place.bottom + 4, innerHeight - box.offsetHeight - 8)}px`;
  box.style.left = `${Math.max(8, Math.min(place.left, innerWidth - box.offsetWidth - 8))}px`;
  (box.querySelector("button, a") ?? box).focus();
}
