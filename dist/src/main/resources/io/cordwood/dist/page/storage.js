// What this browser keeps for the page; nothing, where it must not.

export function kept(name) {
  try {
    return localStorage.getItem(`cordwood.${name}`);
  } catch {
    return null;
  }
}

export function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(`cordwood.${name}`);
    else localStorage.setItem(`cordwood.${name}`, value);
  } catch {
    // No room, or none is allowed: the page works without.
  }
}
