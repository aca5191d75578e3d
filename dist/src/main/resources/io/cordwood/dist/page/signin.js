// Signing in with a token: the node keeps it in a cookie that no script can read.

import { byId } from "./dom.js";

/** Shows the form; what was asked is asked again once the node knows who asks. */
export function signIn() {
  const dialog = byId("signin");
  if (!dialog.open) dialog.showModal();
}

/** Whether a token is lacking, and not something else. */
export const isLacking = error => error?.status === 401;

byId("signin-form").addEventListener("submit", async event => {
  event.preventDefault();
  const field = byId("signin-token");
  const said = byId("signin-said");
  try {
    const response = await fetch("login", { method: "POST", body: new URLSearchParams({ token: field.value.trim() }) });
    if (!response.ok) {
      said.textContent = (await response.text()).trim().replace(/^error: /, "");
      return;
    }
    field.value = "";
    location.reload();
  } catch {
    said.textContent = `The node at ${location.host} does not answer.`;
  }
});
