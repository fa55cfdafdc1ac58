/* Pure rules that read the characters around a sign of a text, one at a time and at most a limited number of them. */

const isLetterOrDigit = /[\p{L}\p{N}\p{M}]/u

/** A set of characters: some of ASCII, and the letters, digits and marks of all scripts. */
export type Characters = (text: string, index: number) => boolean

/** Creates the set of all letters, digits and marks, with these signs. */
export function lettersWith(signs: string): Characters {
  const ascii = Array.from({ length: 128 }, (_, code) => {
    const character = String.fromCharCode(code)
    return /[a-z\d]/i.test(character) || signs.includes(character)
  })
  return (text, index) => {
    const code = text.charCodeAt(index)
    return code < 128
      ? ascii[code] === true
      : isLetterOrDigit.test(characterAt(text, index)) || signs.includes(text.charAt(index))
  }
}

/** Returns the whole character of which the unit at `index` is a part. */
function characterAt(text: string, index: number): string {
  const isSecond = text.charCodeAt(index) >>> 10 === 0x37 && index > 0
  const start = isSecond ? index - 1 : index
  return String.fromCodePoint(text.codePointAt(start) ?? 0)
}

/** Returns where a run of these characters that ends at `end` begins, at most `most` characters before it. */
export function runBefore(text: string, end: number, characters: Characters, most: number): number {
  let start = end
  while (start > 0 && end - start < most && characters(text, start - 1)) start -= 1
  return start
}

/** Returns where a run of these characters that begins at `start` ends, at most `most` characters behind it. */
export function runAfter(text: string, start: number, characters: Characters, most: number): number {
  let end = start
  while (end < text.length && end - start < most && characters(text, end)) end += 1
  return end
}
