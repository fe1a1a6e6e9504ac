// @ts-check
// A worker with one simulator, as the page sees it: the latest input wins, what was overtaken is dropped.

/** @typedef {{ message: string, line: number, column: number }} Refusal */
/** @typedef {{ report: string, digest: number }} Outcome */
/** @typedef {Omit<import("./worker.mjs").Job, "id">} Order */

/** @typedef {{ resolve: (value: any) => void, reject: (error: Refusal) => void, progress?: (share: number) => void }} Waiting */

export class Lane {
  #worker;
  #id = 0;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  /** Work counts, for the tests: orders given, finished, overtaken. */
  counts = { asked: 0, done: 0, dropped: 0 };

  /**
   * @param {Worker} worker
   * @param {ArrayBuffer} module the bytes of sim.wasm
   */
  constructor(worker, module) {
    this.#worker = worker;
    worker.postMessage({ module });
    worker.addEventListener("message", ({ data }) => this.#answer(data));
  }

  /** @param {any} data */
  #answer(data) {
    const waiting = this.#waiting.get(data.id);
    if (!waiting) return;
    if (data.progress !== undefined) {
      waiting.progress?.(data.progress);
      return;
    }
    this.#waiting.delete(data.id);
    if (data.error) waiting.reject(data.error);
    else if (data.dropped) {
      this.counts.dropped++;
      waiting.resolve(null);
    } else {
      this.counts.done++;
      waiting.resolve(data.result ?? data);
    }
  }

  /**
   * Runs a scenario; null when a newer order overtook it.
   * @param {Order} order
   * @param {(share: number) => void} [progress]
   * @returns {Promise<Outcome | null>}
   */
  run(order, progress) {
    const id = ++this.#id;
    this.counts.asked++;
    this.#worker.postMessage({ cancel: id });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, progress });
      this.#worker.postMessage({ id, ...order });
    });
  }

  /** Drops whatever runs. */
  cancel() {
    this.#worker.postMessage({ cancel: ++this.#id });
  }

  /**
   * A call of the simulator that runs nothing.
   * @param {"linkRead" | "linkWrite" | "variants"} call
   * @param {...unknown} given
   * @returns {Promise<any>}
   */
  call(call, ...given) {
    const id = ++this.#id;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, call, arguments: given });
    });
  }
}
