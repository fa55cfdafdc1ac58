import { mailAddressesIn, numbersIn } from '../../contact-gate/contact-gate.ts'
import { hasKnownSuffix, withAsciiDigits } from '../../normalization/normalization.ts'
import { EXAMINED_CHARACTERS } from '../bounds.ts'
import type { RedactionKind, WithheldReason } from '../suggestions/suggestions.schema.ts'
import { withoutMarkup, withoutReferences } from './markup.rules.ts'
import { secretElements, secretRules } from './secrets.rules.ts'

/*
 * Redaction of what is sent to a provider (specification, Phase 13 §2). Patterns first, without exceptions: an exception for dates or
 * coordinates let a number through. Then the readers of the contact gate examine what is left; a text in which they still find a value is
 * withheld whole. Rules cannot find names of people: free text is a data class of its own. Pure and linear. A change raises
 * `REDACTION_VERSION`.
 */

export type Redacted = {
  text: string
  counts: ReadonlyMap<RedactionKind, number>
  /** why the text must not be sent; null if it may be sent */
  withheld: WithheldReason | null
}

type Pattern = { kind: RedactionKind; pattern: RegExp; isMeant?: (found: string) => boolean }

const hostName = /(?<![\p{L}\d@])(?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+\p{L}{2,}(?![\p{L}\d])/gu

/** In this order: a secret may contain an address, an address a number. */
const patterns: readonly Pattern[] = [
  ...secretRules.map((rule): Pattern => ({ kind: 'secret', ...rule })),
  { kind: 'link', pattern: /(?<![a-z\d+.-])[a-z][a-z\d+.-]{0,30}:\/\/\S+|\bwww\.\S+/gi },
  {
    kind: 'email',
    pattern:
      /(?<![^\s<>()[\]{}|,;])[^\s<>()[\]{}|,;]*[^\s<>()[\]{}|,;@＠]\s*(?:@|＠|%40|[[({<]\s*(?:at|@)\s*[\])}>])\s*[^\s<>()[\]{}|,;]+(?:\s*[[({<]\s*(?:dot|\.)\s*[\])}>]\s*[^\s<>()[\]{}|,;]+)*/giu,
  },
  { kind: 'email', pattern: /(?<!\S)\S+ at \S+(?: dot \S+)+/gi },
  { kind: 'domain', pattern: hostName, isMeant: (found) => hasKnownSuffix(found.toLowerCase()) },
  { kind: 'number', pattern: /(?:\+|\()?\d(?:[^\p{L}\d]{0,4}\d){5,}/gu },
]

/**
 * Replaces contact values, numbers of six digits or more, links and secrets by placeholders, and removes markup. NFKC can make a text 18 times
 * longer, so the limit applies to the normalized text.
 */
export function redact(text: string): Redacted {
  const counts = new Map<RedactionKind, number>()
  const count = (kind: RedactionKind, times: number) => counts.set(kind, (counts.get(kind) ?? 0) + times)
  const masked = (kind: RedactionKind) => {
    count(kind, 1)
    return placeholderOf(kind)
  }
  const normal = withAsciiDigits(text.normalize('NFKC'))
  if (normal.length > EXAMINED_CHARACTERS) return { text: '', counts, withheld: 'too_long' }
  const marked = withoutReferences(normal).replace(secretElements, () => masked('secret'))
  const { text: shown, removed } = withoutMarkup(marked)
  if (removed > 0) count('markup', removed)
  let left = shown
  for (const { kind, pattern, isMeant } of patterns)
    left = left.replace(pattern, (found) => (isMeant?.(found) === false ? found : masked(kind)))
  const isLeft = mailAddressesIn(left).length > 0 || numbersIn(left, null).length > 0
  return { text: left, counts, withheld: isLeft ? 'contact_value_left' : null }
}

/** The whole value of a contact field. */
export function redactWhole(kind: 'email' | 'phone' | 'domain'): Redacted {
  return { text: placeholderOf(kind), counts: new Map([[kind, 1]]), withheld: null }
}

function placeholderOf(kind: RedactionKind): string {
  return `[${kind}]`
}
