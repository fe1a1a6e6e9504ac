// @ts-check
// Elements without markup: foreign text can only ever become text.

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown>} [given] properties; those with a dash are attributes
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given))
    if (name.includes("-")) made.setAttribute(name, String(value));
    else Reflect.set(made, name, value);
  made.append(...children);
  return made;
}

/**
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function part(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return /** @type {T} */ (found);
}

/**
 * @param {string} caption
 * @param {string[]} heads
 * @param {(string | number)[][]} rows the first cell of each is its head
 */
export function table(caption, heads, rows) {
  const made = element("table");
  made.createCaption().textContent = caption;
  made
    .createTHead()
    .append(element("tr", {}, ...heads.map((text) => element("th", { scope: "col", textContent: text }))));
  made
    .createTBody()
    .append(
      ...rows.map(([first, ...rest]) =>
        element(
          "tr",
          {},
          element("th", { scope: "row", textContent: String(first) }),
          ...rest.map((text) => element("td", { textContent: String(text) })),
        ),
      ),
    );
  return made;
}
