/**
 * Safe display of names. Names are stored and edited exactly as given; only for display, characters that hide or that reverse the text around them
 * are made visible. A name that reverses "reporp.exe" could otherwise pass for another one.
 */

/** Bidirectional embeddings, overrides and isolates, control characters, and zero-width characters that join or break words. */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g
/** Right-to-left letters. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

const isolate = '\u2068'
const endOfIsolate = '\u2069'

const codePoint = (character: string) => `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`

/** A piece of a name: text, or the code point of one hidden character. */
export type NamePiece = { text: string; isHidden: boolean }

export function piecesOf(name: string): NamePiece[] {
  const pieces: NamePiece[] = []
  let end = 0
  for (const match of name.matchAll(hidden)) {
    if (match.index > end) pieces.push({ text: name.slice(end, match.index), isHidden: false })
    pieces.push({ text: codePoint(match[0]), isHidden: true })
    end = match.index + match[0].length
  }
  if (end < name.length) pieces.push({ text: name.slice(end), isHidden: false })
  return pieces
}

const visibleText = (name: string) =>
  piecesOf(name)
    .map((piece) => (piece.isHidden ? `[${piece.text}]` : piece.text))
    .join('')

/** Safe name as plain text, for sentences, titles, labels and options. A right-to-left name is isolated from the text around it. */
export function nameText(name: string): string {
  const text = visibleText(name)
  return rightToLeft.test(text) ? `${isolate}${text}${endOfIsolate}` : text
}

/** True if the user typed the requested name: as stored, or as shown, including copied isolate characters. */
export function isTypedAs(typed: string, name: string): boolean {
  const text = typed.replace(/^[\s\u2068]+|[\s\u2069]+$/g, '')
  return text === visibleText(name.trim()) || typed.trim() === name.trim()
}
