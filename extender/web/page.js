// What all pages do.
"use strict";
const $ = (id) => document.getElementById(id);

// Names come from the network: they are only ever set as text, never as markup.
function put(node, text) { if (node.textContent !== text) node.textContent = text; }
function el(tag, text) { const e = document.createElement(tag); if (text !== undefined) e.textContent = text; return e; }

// Quantities as people say them; null is what is not known. Bounds sit where rounding would carry.
function fixed(v, whole) { return v.toFixed(v >= whole ? 0 : 1); }
function ms(s) { return s === null ? "–" : s === 0 ? "0 ms" : s >= 0.9995e-3 ? fixed(s * 1e3, 99.95) + " ms" : s >= 0.9995e-6 ? fixed(s * 1e6, 99.95) + " µs" : (s * 1e9).toFixed(0) + " ns"; }
function pct(r) { return r === null ? "–" : r === 0 ? "0 %" : (r >= 0.0995 ? (r * 100).toFixed(0) : r >= 1e-8 ? (r * 100).toPrecision(2) : "<0.000001") + " %"; }
function span(s) { return s === null ? "–" : s < 1 ? "<1 s" : s < 120 ? Math.floor(s) + " s" : s < 7200 ? Math.floor(s / 60) + " min" : s < 172800 ? Math.floor(s / 3600) + " h" : Math.floor(s / 86400) + " days"; }
function rate(b) { if (b === null) return "–"; let v = b * 8, u = 0; while (v >= 999.5 && u < 4) { v /= 1e3; u++; } return (v >= 999.5 || v === 0 ? v.toFixed(0) : v.toPrecision(3)) + " " + ["b/s", "kb/s", "Mb/s", "Gb/s", "Tb/s"][u]; }
function tick(s) { return s * 1e3 >= 999.5 ? (s * 1e3).toFixed(0) : (s * 1e3).toPrecision(3); }
function counted(n, one, many) { return n + " " + (n === 1 ? one : many); }
const words = (w) => w === null ? "–" : w.replace(/_/g, " ");

function fillTable(table, heads, rows) {
  if (!table.tHead.rows.length) { const tr = table.tHead.insertRow(); for (const h of heads) { const th = el("th", h); th.scope = "col"; tr.append(th); } }
  const body = table.tBodies[0];
  while (body.rows.length > rows.length) body.deleteRow(-1);
  rows.forEach((row, i) => {
    const tr = body.rows[i] || body.insertRow();
    row.forEach((text, j) => put(tr.cells[j] || tr.insertCell(), text));
  });
}

function fillValues(dl, pairs) {
  pairs.forEach(([name, value], i) => {
    if (!dl.children[2 * i]) dl.append(el("dt"), el("dd"));
    put(dl.children[2 * i], name); put(dl.children[2 * i + 1], value);
  });
}

// Fetches `path` every two seconds and shows it; says where that fails.
function keepUpdated(path, show) {
  let running = false;
  const refresh = async () => {
    if (running) return;
    running = true;
    try {
      const reply = await fetch(path(), {cache: "no-store"});
      if (!reply.ok) throw new Error("the extender answers " + reply.status);
      show(await reply.json());
      put($("trouble"), "");
    } catch (e) {
      put($("trouble"), "Not up to date: " + e.message + ". Trying again.");
    } finally { running = false; }
  };
  refresh();
  setInterval(refresh, 2000);
  return refresh;
}
