/*
 * Markup in a text (specification, Phase 13 §2: no raw page bodies). Tags, comments, scripts and styles are removed, so that the rules and the
 * model see the text that a browser would show: `082<b>765</b>4321` shows one number. Pure. Takes linear time,
 * because no pattern scans a character twice.
 */

export type WithoutMarkup = {
  text: string
  /** the number of tags, comments, scripts and styles that were removed */
  removed: number
}

/** Elements whose content is not shown. An element that is not closed ends with the text. */
const hiddenElements =
  /<(script|style|template|noscript|head|svg|iframe|object)(?=[\s/>])[\s\S]*?(?:<\/\1\s{0,20}>|$)/gi
const comments = /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[|\]\]>/g
/** A tag name is followed by a space, a slash or the end of the tag, so `<info@karoo.example>` is no tag. */
const tags = /<(?:[!?]|\/?)([a-z][a-z\d:-]{0,40})(?:[\s/][^<>]*)?>/gi
/** Elements that do not start a new line. Removing them joins the text around them. */
const inlineElements: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo big cite code em font i kbd label mark q s samp small span strike strong sub sup tt u var wbr'.split(
    ' ',
  ),
)

/** Signs of an address that are written out, as in `jan<at>karoo.example`. They are no elements. */
const writtenSigns: ReadonlySet<string> = new Set(['at', 'dot', 'punt', 'by'])

const references =
  /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp|commat|period|colon|sol|num|lowbar|hyphen|dash|equals));?/gi
const namedReferences: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  commat: '@',
  period: '.',
  colon: ':',
  sol: '/',
  num: '#',
  lowbar: '_',
  hyphen: '-',
  dash: '-',
  equals: '=',
}

/** Decodes the character references of HTML, which can hide a tag or an address. */
export function withoutReferences(text: string): string {
  return text.replace(references, decoded)
}

/** Returns the text as a browser would show it. Its character references are decoded. */
export function withoutMarkup(text: string): WithoutMarkup {
  let removed = 0
  const remove = (by: string) => {
    removed += 1
    return by
  }
  const shown = text
    .replace(hiddenElements, () => remove(' '))
    .replace(comments, () => remove(''))
    .replace(tags, (tag, name: string) => {
      const element = name.toLowerCase()
      return writtenSigns.has(element) ? tag : remove(inlineElements.has(element) ? '' : ' ')
    })
  return { text: removed === 0 ? text : shown.replace(/[^\S\n]{2,}/g, ' ').trim(), removed }
}

function decoded(reference: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return namedReferences[name.toLowerCase()] ?? reference
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
  const isCharacter = code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff)
  return isCharacter ? String.fromCodePoint(code) : reference
}
