import { valuesIn, withAsciiDigits } from '../../normalization/normalization.ts'
import { EXAMINED_CHARACTERS } from '../bounds.ts'
import type { RedactionKind, WithheldReason } from '../suggestions/claims.ts'
import { withoutMarkup, withoutReferences } from './markup.rules.ts'
import { secretElements, secretRules } from './secrets.rules.ts'

/*
 * Redaction of what is sent to a provider (specification, Phase 13 §2): secrets, links, the contact values that `valuesIn` reads, and numbers,
 * without exceptions: an exception for dates or coordinates let a number through. Then `valuesIn` examines what is left; a text in which it
 * still finds a value is withheld whole. Rules cannot find names of people: free text is a data class of its own. Pure and linear. A change
 * raises `REDACTION_VERSION`.
 */

export type Redacted = {
  text: string
  counts: ReadonlyMap<RedactionKind, number>
  /** why the text must not be sent; null if it may be sent */
  withheld: WithheldReason | null
}

type Pattern = { kind: RedactionKind; pattern: RegExp; isMeant?: (found: string) => boolean }

/** In this order: a secret may contain a link. */
const secretsAndLinks: readonly Pattern[] = [
  ...secretRules.map((rule): Pattern => ({ kind: 'secret', ...rule })),
  { kind: 'link', pattern: /(?<![a-z\d+.-])[a-z][a-z\d+.-]{0,30}:\/\/\S+|(?<![\p{L}\d])www\.\S+/giu },
]

/**
 * Addresses of hosts that cannot be reached from outside, such as `jan@localhost`, and numbers of six digits or more. A comma or another mark of
 * a sentence joins two numbers only without a space.
 */
const otherValues: readonly Pattern[] = [
  { kind: 'email', pattern: /(?<![^\s@])[^\s@]+@[^\s@]+/g },
  { kind: 'number', pattern: /(?:\+|\()?\d(?:(?:[,.:;](?=\d)|[^\p{L}\d\n,.:;]){0,3}\d){5,}/gu },
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
  const mask = (given: string, patterns: readonly Pattern[]) =>
    patterns.reduce(
      (left, { kind, pattern, isMeant }) =>
        left.replace(pattern, (found) => (isMeant?.(found) === false ? found : masked(kind))),
      given,
    )
  const normal = withAsciiDigits(text.normalize('NFKC'))
  if (normal.length > EXAMINED_CHARACTERS) return { text: '', counts, withheld: 'too_long' }
  const marked = withoutReferences(normal).replace(secretElements, () => masked('secret'))
  const { text: shown, removed } = withoutMarkup(marked)
  if (removed > 0) count('markup', removed)
  const left = mask(maskValues(mask(shown, secretsAndLinks), masked), otherValues)
  return { text: left, counts, withheld: valuesIn(left).length > 0 ? 'contact_value_left' : null }
}

const kinds = { email: 'email', phone: 'number', domain: 'domain' } as const satisfies Record<string, RedactionKind>

/** Matches the rest of a link behind a host. The page can name a person, as in `facebook.com/jan.botha`. */
const pageBehind = /(?::\d{1,5})?[/?#][^\s<>"'()[\]]*/y

/**
 * Masks every contact value, a host with the page behind it. Readings that overlap, such as an address and its host, are masked as one.
 */
function maskValues(text: string, masked: (kind: RedactionKind) => string): string {
  let left = ''
  let end = 0
  for (const { kind, from, to } of valuesIn(text)) {
    if (from >= end) left += text.slice(end, from) + masked(kinds[kind])
    end = Math.max(end, kind === 'domain' && to > end ? endOfPage(text, to) : to)
  }
  return left + text.slice(end)
}

function endOfPage(text: string, end: number): number {
  pageBehind.lastIndex = end
  return pageBehind.test(text) ? pageBehind.lastIndex : end
}

/** The whole value of a contact field. */
export function redactWhole(kind: 'email' | 'phone' | 'domain'): Redacted {
  return { text: placeholderOf(kind), counts: new Map([[kind, 1]]), withheld: null }
}

function placeholderOf(kind: RedactionKind): string {
  return `[${kind}]`
}
