// What to paste to see the first line of a node that has none.

import * as answer from "./answer.js";
import { button, copy, h } from "./dom.js";

/** Where a file with the token is, which whoever pastes a command puts there. */
const TOKEN_FILE = "shop.token";

let place = null;

/** Elements that say how records are sent to this node, or to another one of its cluster. */
export function start() {
  if (!place) {
    place = h("div", { class: "start" }, h("p", {}, "There are no records yet. Send some:"));
    fill();
  }
  return [place];
}

async function fill() {
  const found = await answer.text("senders").then(JSON.parse).catch(() => ({ tls: false, tokens: false, nodes: [] }));
  const target = found.nodes[0];
  const note = !target ? "No node takes records now: start one, such as cordwood ingest." : found.tokens
    ? `Senders need a token with the scope ingest: cordwood token add shop --scope ingest --topic 'shop*' > ${TOKEN_FILE}` : "";
  place.append(...(target ? ways(found, target) : []).map(([name, text]) => way(name, text)), note && h("p", { class: "note" }, note));
}

function way(name, text) {
  return h("section", {}, h("h2", {}, name, " ", button("Copy", () => copy(text), { "aria-label": `Copy what to paste for ${name}` })), h("pre", {}, text));
}

/** The name that this page was reached by leads to its node, but where a proxy is between. */
const isDirect = () => location.pathname === "/";

function ways({ tls, tokens }, node) {
  const host = node.self && isDirect() ? location.hostname : node.host;
  const at = port => `${tls ? "tls://" : ""}${host}:${port}`;
  const flags = `${tokens ? ` --token-file ${TOKEN_FILE}` : ""}${tls ? " --tls-ca ca.pem" : ""}`;
  const forward = `cordwood forward --topic shop${flags}`;
  const origin = node.self ? location.href.replace(/[?#].*/, "") : `${tls ? "https" : "http"}://${host}:${node.api_port}/`;
  const curl = `curl${tls && node.self !== true ? " --cacert ca.pem" : ""}${tokens ? ` -H "authorization: Bearer $(cat ${TOKEN_FILE})"` : ""}`;
  return [
    ["a file", `${forward} --durable --file '/var/log/shop/*.log' ${at(node.durable_port)}`],
    ["a container", `docker logs -f shop 2>&1 | ${forward} ${at(node.fast_port)}`],
    ["Logback", logback({ host, port: node.fast_port, tls, tokens })],
    ["curl", `${curl} --data-binary 'the first line' '${origin}ingest/bulk?topic=shop'`],
  ];
}

function logback({ host, port, tls, tokens }) {
  return [
    `<appender name="cordwood" class="io.cordwood.logback.CordwoodAppender">`,
    `  <targets>${tls ? "tls://" : ""}${host}:${port}</targets>`,
    `  <topic>shop</topic>`,
    tokens && `  <tokenFile>${TOKEN_FILE}</tokenFile>`,
    tls && `  <tlsCa>ca.pem</tlsCa>`,
    `  <encoder><pattern>%d %-5level [%thread] %logger - %msg %X%n</pattern></encoder>`,
    `</appender>`,
    `<root level="info"><appender-ref ref="cordwood"/></root>`,
  ].filter(Boolean).join("\n");
}
