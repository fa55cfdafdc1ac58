const HIGH = 2 ** 20

/** A whole number below 2^52 for a text; the same on every machine. Two texts may share one: whoever groups by it compares afterwards. */
export function hashText(text: string): number {
  let a = 0x811c9dc5
  let b = 0x9e3779b9
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b)
    b ^= b >>> 13
  }
  a ^= a >>> 15
  b = Math.imul(b ^ (b >>> 16), 0xc2b2ae35)
  return (a >>> 0) * HIGH + (b >>> 12)
}
