import { mailAddressesIn, numbersIn } from '../../contact-gate/contact-gate.ts'
import { hasKnownSuffix, withAsciiDigits } from '../../normalization/normalization.ts'
import type { RedactionKind } from '../suggestions/suggestions.schema.ts'

/*
 * Redaction of what is sent to a provider (specification, Phase 13 §2). Patterns first, without exceptions: an exception for dates or
 * coordinates let a number through. Then the readers of the contact gate examine what is left; a text in which they still find a value is
 * withheld whole. Rules cannot find names of people: free text is a data class of its own. Pure. A change raises `REDACTION_VERSION`.
 */

export type Redacted = {
  text: string
  counts: ReadonlyMap<RedactionKind, number>
  /** a contact value is still recognised: the text must not be sent */
  isWithheld: boolean
}

type Pattern = { kind: RedactionKind; pattern: RegExp; isMeant?: (found: string) => boolean }

const hostName = /(?<![\p{L}\d@])(?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+\p{L}{2,}(?![\p{L}\d])/gu

/** In this order: a secret may contain an address, an address a number. */
const patterns: readonly Pattern[] = [
  { kind: 'secret', pattern: /-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g },
  { kind: 'secret', pattern: /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g },
  {
    kind: 'secret',
    pattern: /\b(?:gh[pousr]_|github_pat_|glpat-|sk[-_]|pk[-_]|rk[-_]|xox[abeoprs]-|hf_|npm_)[\w-]{8,}/g,
  },
  { kind: 'secret', pattern: /\b(?:AKIA|ASIA|AIza)[\w-]{12,}/g },
  { kind: 'secret', pattern: /\b[a-z][a-z\d+.-]*:\/\/[^\s/:@]+:[^\s/@]+@\S*/gi },
  {
    kind: 'secret',
    pattern:
      /\b(?:pass ?(?:word|phrase|code)|passwd|pwd|pin(?: code)?|secret|token|api[ _-]?key|access[ _-]?key|wagwoord)\b\s*(?:is|:|=|-)\s*\S+/gi,
  },
  { kind: 'secret', pattern: /(?<![\w+/=-])(?=[\w+/=-]*\d)(?=[\w+/=-]*[A-Za-z])[\w+/=-]{24,}/g },
  { kind: 'link', pattern: /\b[a-z][a-z\d+.-]*:\/\/\S+|\bwww\.\S+/gi },
  {
    kind: 'email',
    pattern:
      /[^\s<>()[\]{}|,;]*[^\s<>()[\]{}|,;@＠]\s*(?:@|＠|%40|[[({<]\s*(?:at|@)\s*[\])}>])\s*[^\s<>()[\]{}|,;]+(?:\s*[[({<]\s*(?:dot|\.)\s*[\])}>]\s*[^\s<>()[\]{}|,;]+)*/giu,
  },
  { kind: 'email', pattern: /\S+ at \S+(?: dot \S+)+/gi },
  { kind: 'domain', pattern: hostName, isMeant: (found) => hasKnownSuffix(found.toLowerCase()) },
  { kind: 'number', pattern: /(?:\+|\()?\d(?:[\s().\-/\u2010-\u2015·•]*\d){5,}/gu },
]

/** Replaces contact values, numbers of six digits or more, links and secrets by placeholders. */
export function redact(text: string): Redacted {
  const counts = new Map<RedactionKind, number>()
  let left = withAsciiDigits(text.normalize('NFKC'))
  for (const { kind, pattern, isMeant } of patterns)
    left = left.replace(pattern, (found) => {
      if (isMeant?.(found) === false) return found
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
      return placeholderOf(kind)
    })
  return { text: left, counts, isWithheld: mailAddressesIn(left).length > 0 || numbersIn(left, null).length > 0 }
}

/** The whole value of a contact field. */
export function redactWhole(kind: 'email' | 'phone' | 'domain'): Redacted {
  return { text: placeholderOf(kind), counts: new Map([[kind, 1]]), isWithheld: false }
}

function placeholderOf(kind: RedactionKind): string {
  return `[${kind}]`
}
