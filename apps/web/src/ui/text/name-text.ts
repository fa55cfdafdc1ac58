/**
 * Names as they are shown: what a person or a source gave stays as it is in the store and in every form; only here the characters that
 * would turn the text around them, or hide, are made visible. A name that turned "reporp.exe" around could pass for another.
 */

/** Embeddings, overrides and isolates of the bidirectional algorithm, controls, and what has no width but joins or breaks words. */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g
/** Letters that run from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

const isolate = '\u2068'
const endOfIsolate = '\u2069'

const codePoint = (character: string) => `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`

/** A piece of a name: text, or one hidden character by its number. */
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

/** For a sentence, a title, a label or an option: where no element can stand. A name that runs from right to left keeps that to itself. */
export function nameText(name: string): string {
  const text = visibleText(name)
  return rightToLeft.test(text) ? `${isolate}${text}${endOfIsolate}` : text
}

/** Whether a name that a person was asked to repeat is the one: as it is stored, or as it was shown, copied with what it was shown in. */
export function isTypedAs(typed: string, name: string): boolean {
  const text = typed.replace(/^[\s\u2068]+|[\s\u2069]+$/g, '')
  return text === visibleText(name.trim()) || typed.trim() === name.trim()
}
