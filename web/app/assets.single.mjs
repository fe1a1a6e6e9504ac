// @ts-check
// Where the page in one file finds its worker and the simulator: within itself. Workers from blobs and bytes from the
// text work from file:// and in sandboxed frames, where no address can be loaded.

import simulator from "packed:simulator";
import worker from "packed:worker";
import fields from "fields";

let url = "";

export function startWorker() {
  url ||= URL.createObjectURL(new Blob([worker], { type: "text/javascript" }));
  return new Worker(url);
}

/** @returns {Promise<ArrayBuffer>} */
export async function simulatorBytes() {
  const packed = Uint8Array.from(atob(simulator), (character) => character.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

export async function allFields() {
  return fields;
}
