const HIGH = 2 ** 20

/**
 * Returns an integer below 2^52 for a text, the same on every machine. Different texts can have the same hash, so compare the texts after grouping by
 * hash.
 */
export function hashText(text: string): number {
  begin()
  add(text)
  return end()
}

/** Returns the hash of the parts joined by `|`, without building the joined text. A null part counts as empty. */
export function hashParts(kind: string, parts: readonly (string | null)[]): number {
  begin()
  add(kind)
  for (const part of parts) {
    add('|')
    if (part !== null) add(part)
  }
  return end()
}

let a = 0
let b = 0

function begin(): void {
  a = 0x811c9dc5
  b = 0x9e3779b9
}

function add(text: string): void {
  let [x, y] = [a, b]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    x = Math.imul(x ^ code, 0x01000193)
    y = Math.imul(y ^ code, 0x85ebca6b)
    y ^= y >>> 13
  }
  a = x
  b = y
}

function end(): number {
  a ^= a >>> 15
  b = Math.imul(b ^ (b >>> 16), 0xc2b2ae35)
  return (a >>> 0) * HIGH + (b >>> 12)
}
