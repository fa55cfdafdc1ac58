/*
 * Citations (specification, Phase 14 §2). `[^1]` cites an observation, optionally with an exact quote. Markers are removed from the text that a
 * person copies. Pure functions.
 */

const marker = /\[\^([1-9]\d{0,3})\]/g
const spacedMarker = / *\[\^[1-9]\d{0,3}\]/g

/** The numbers of the markers in a text, each once, in order. */
export function markersIn(text: string): number[] {
  return [...new Set([...text.matchAll(marker)].map(([, number]) => Number(number)))]
}

/** The text without its markers, and without the spaces before them. */
export function withoutMarkers(text: string): string {
  return text.replace(spacedMarker, '')
}

/** Returns true if `quote` is a part of one of these texts, character by character in NFC. */
export function isExactQuote(quote: string, texts: readonly (string | null)[]): boolean {
  const wanted = quote.normalize('NFC')
  return texts.some((text) => text?.normalize('NFC').includes(wanted) === true)
}
