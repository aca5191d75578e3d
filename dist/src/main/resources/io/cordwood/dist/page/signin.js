// Signing in with a token, which the node keeps in a cookie that no script can read, and signing out.

import { byId, say } from "./dom.js";
import { keep, kept } from "./storage.js";

const NAME = "signed-in";

/** Whether a token is lacking, and not something else. */
export const isLacking = error => error?.status === 401;

/** Whether the token is for something else. */
export const isOfOtherScope = error => error?.status === 403 && Boolean(error.isScope);

/**
 * Shows the form; what was asked is asked again once the node knows who asks.
 *
 * @param error why, if it is another token that is needed
 */
export function signIn(error) {
  const dialog = byId("signin");
  byId("signin-said").textContent = error.status === 403 ? error.message : "";
  if (isLacking(error)) keep(NAME, null);
  byId("signout").hidden = kept(NAME) === null;
  if (!dialog.open) dialog.showModal();
}

async function send(path, body) {
  const response = await fetch(path, { method: "POST", body });
  return response.ok ? null : (await response.text()).trim().replace(/^error: /, "");
}

byId("signin-form").addEventListener("submit", async event => {
  event.preventDefault();
  const field = byId("signin-token");
  const said = byId("signin-said");
  try {
    const refused = await send("login", new URLSearchParams({ token: field.value.trim() }));
    said.textContent = refused ?? "";
    if (refused !== null) return;
    field.value = "";
    keep(NAME, "true");
    location.reload();
  } catch {
    said.textContent = `The node at ${location.host} does not answer.`;
  }
});

byId("signout").hidden = kept(NAME) === null;
byId("signout").addEventListener("click", async () => {
  try {
    const refused = await send("logout");
    if (refused !== null) return say(refused);
    keep(NAME, null);
    location.reload();
  } catch {
    say(`The node at ${location.host} does not answer: you are still signed in`);
  }
});
