// The cluster as the node that is asked believes it to be, what is wrong with it, and this node's ledger.

import * as answer from "./answer.js";
import { byId, h } from "./dom.js";
import { by, parse, sum } from "./metrics.js";
import { senders, table } from "./senders.js";
import * as times from "./times.js";
import { size } from "./verdict.js";
import { View } from "./view.js";

const LITTLE_DISK = 5e9;
const MUCH_BACKLOG = 1e9;

export const clusterView = () => new View(byId("cluster"), async () => {
  const asJson = new URLSearchParams({ format: "json" });
  const [cluster, metrics] = await Promise.all([answer.text("cluster", asJson), answer.text("metrics")]);
  const view = JSON.parse(cluster);
  return elements(view, parse(metrics), await senders(has("ingest")(view.self)));
});

function elements(cluster, metrics, sending) {
  const found = [...troubles(cluster), ...nodeTroubles(metrics)];
  return [
    h("section", { "aria-label": "What is wrong" },
      ...(found.length
        ? found.map(({ bad, what, todo }) => h("div", { class: `trouble ${bad ? "bad" : ""}` }, h("strong", {}, what), h("span", {}, todo)))
        : [h("div", { class: "trouble good" }, h("strong", {}, "Nothing is wrong, as far as this node can see."))])),
    h("section", {}, h("h2", {}, "Nodes"), nodes(cluster)),
    has("ingest")(cluster.self) && h("section", {}, h("h2", {}, "Senders of this node"), ...table(sending)),
    h("section", {}, h("h2", {}, "Ledger of this node"), ...ledger(metrics)),
    h("p", { class: "note" }, `Cluster ${cluster.cluster_name}, ${cluster.key_ids.length ? `key ${cluster.key_ids.join(" ")}` : "no key"}. `
      + "What a node believes is seconds old, and another one may believe something else."),
  ].filter(Boolean);
}

const short = id => (id?.length > 12 ? `${id.slice(0, 4)}…${id.slice(-6)}` : id);

const all = cluster => [{ ...cluster.self, state: "this node" }, ...cluster.others];

const has = role => node => (node.roles ?? []).includes(role);

/** What is wrong with the whole, and what to do. */
function troubles(cluster) {
  const found = [];
  const say = (bad, what, todo) => found.push({ bad, what, todo });
  for (const gone of cluster.departed.filter(g => !g.left)) {
    say(true, `Node ${gone.node_id} (${gone.api_address}) is lost since ${times.text(Date.parse(gone.since))}.`,
      "Start it again with its data folder; other nodes go on meanwhile. "
      + (has("ingest")(gone) ? "What it had received and no store had taken is only there." : "What it held is copied from others, if they hold it."));
  }
  for (const other of cluster.others.filter(o => o.state !== "alive")) {
    say(false, `Node ${other.node_id ?? other.gossip_address} is ${other.state}.`, "If it stays so for some seconds: is it paused, or is the network slow?");
  }
  for (const seed of cluster.seeds.filter(s => s.trouble)) {
    say(true, `The peer ${seed.address} is not reached: ${seed.trouble}.`, "Is it running, and is its gossip port open to this node?");
  }
  for (const [id, places] of Object.entries(cluster.twins)) {
    say(true, `Several living nodes have the id ${id}: ${places.join(", ")}.`, "A data folder was copied. Stop one of them.");
  }
  const stores = all(cluster).filter(has("store"));
  const copies = Math.max(0, ...stores.map(s => s.replication_factor));
  if (!stores.length) say(true, "There is no store.", "Records wait on the ingest nodes until one is there.");
  else if (stores.length < copies) say(true, `There are ${stores.length} stores, and each record is to be on ${copies}.`, "Records wait on the ingest nodes until there are enough: start stores.");
  if (!all(cluster).some(has("ingest"))) say(true, "There is no ingest node.", "Nothing can be sent: start one.");
  for (const node of all(cluster).filter(n => n.load)) {
    const name = short(node.node_id);
    if (node.load.free_disk_bytes < LITTLE_DISK && node.roles.some(r => r !== "query")) {
      say(true, `Node ${name} (${node.api_address}) has ${size(node.load.free_disk_bytes)} of disk left.`, "Give it more, or shorten --retention, or set --max-store-size below the size of the disk.");
    }
    if (node.load.backlog_bytes > MUCH_BACKLOG) {
      say(false, `Node ${name} (${node.api_address}) holds ${size(node.load.backlog_bytes)} that no store has taken.`, "If it grows: do stores keep up, and do they reach this node?");
    }
  }
  return found;
}

/** What this node says of itself in its metrics. */
function nodeTroubles(metrics) {
  const found = [];
  const over = (name, bad, what, todo) => {
    const value = sum(metrics, name);
    if (value > 0) found.push({ bad, what: what(value), todo });
  };
  over("cordwood_ingest_degraded", true, () => "This node's disk fails: durable mode refuses records.", "See its log, and replace the disk.");
  over("cordwood_store_disk_full", true, () => "This store's disk is full: it gathers nothing.", "Free some space, or shorten --retention.");
  over("cordwood_store_missing_stores", true, n => `${n} more stores are needed for the copies; nothing is stored.`, "Start stores, or lower --replication-factor.");
  over("cordwood_store_underreplicated_bytes", false, n => `${size(n)} have too few copies.`, "Repair makes them by itself; take no store away until this is 0.");
  over("cordwood_store_damaged_segments_total", true, n => `${n} segments were found damaged since this node was started.`, "They are set aside, and fetched from other stores. Mistrust the disk.");
  over("cordwood_store_unreadable_segments", true, n => `${n} segments cannot be read.`, "See the log; mistrust the disk.");
  return found;
}

function nodes(cluster) {
  const head = ["node", "roles", "state", "takes in", "backlog", "free disk", "stored", "copies", "senders", "since"];
  const rows = [...all(cluster), ...cluster.departed.map(gone => ({ ...gone, state: gone.left ? "left" : "lost" }))];
  return h("div", { class: "scroll" }, h("table", {},
    h("thead", {}, h("tr", {}, ...head.map(name => h("th", { scope: "col" }, name)))),
    h("tbody", {}, ...rows.map(nodeRow))));
}

function nodeRow(node) {
  const { load } = node;
  const isStore = has("store")(node);
  const isIngest = has("ingest")(node);
  const name = node.state === "this node" || !node.api_address
    ? h("span", {}, node.api_address ?? node.gossip_address)
    : h("a", { href: `${location.protocol}//${node.api_address}/?view=cluster`, rel: "noreferrer" }, node.api_address);
  const cells = [
    (node.roles ?? []).join(", "),
    h("span", { class: `state ${["alive", "this node"].includes(node.state) ? "good" : node.state === "left" ? "" : "bad"}` }, node.state),
    load && isIngest ? `${size(load.bytes_per_second)}/s` : "",
    load && isIngest ? size(load.backlog_bytes) : "",
    load ? size(load.free_disk_bytes) : "",
    load && isStore ? size(load.stored_bytes) : "",
    isStore ? node.replication_factor : "",
    load && isIngest ? load.connections : "",
    node.since ? times.textOfSecond(Date.parse(node.since)) : "",
  ];
  return h("tr", {}, h("th", { scope: "row" }, name, h("code", { class: "ulid", title: node.node_id }, short(node.node_id) ?? "")),
    ...cells.map(cell => h("td", {}, cell)));
}

/** Received = stored + rejected, topic by topic; a difference is shown. */
function ledger(metrics) {
  const part = (what, unit) => by(metrics, `cordwood_ingest_${unit}_${what}_total`, "topic");
  const [received, stored, rejected] = ["received", "stored", "rejected"].map(what => part(what, "records"));
  const bytes = part("received", "bytes");
  if (!received.size) {
    return [h("p", { class: "note" }, "This node takes no records; each ingest node has a ledger of its own.")];
  }
  const topics = [...received.keys()].filter(t => received.get(t) || bytes.get(t)).sort((a, b) => received.get(b) - received.get(a));
  const rows = topics.map(topic => {
    const [r, s, x] = [received, stored, rejected].map(sums => sums.get(topic) ?? 0);
    return h("tr", {}, h("th", { scope: "row" }, topic), ...[r, s, x].map(number), h("td", {}, size(bytes.get(topic) ?? 0)), balance(r - s - x));
  });
  const reasons = [...by(metrics, "cordwood_ingest_records_rejected_total", "reason")].filter(([, n]) => n > 0);
  const head = ["topic", "received", "stored", "rejected", "bytes", "balance"];
  return [
    h("p", { class: "note" }, "Since this node was started, in records: received = stored + rejected."),
    h("div", { class: "scroll" }, h("table", { class: "ledger" },
      h("thead", {}, h("tr", {}, ...head.map(name => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...rows))),
    !topics.length && h("p", { class: "note" }, "Nothing was received yet."),
    reasons.length > 0 && h("p", {}, "Rejected: ", reasons.map(([reason, n]) => `${reason} ${n.toLocaleString()}`).join(", ")),
  ].filter(Boolean);
}

const number = n => h("td", { class: "n" }, n.toLocaleString());

/** What is on its way just now is neither stored nor rejected yet. */
function balance(difference) {
  return h("td", {}, difference === 0 ? h("span", { class: "state good" }, "balances") : `${difference.toLocaleString()} on their way`);
}
