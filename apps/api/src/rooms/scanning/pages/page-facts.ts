import type { ScanReason } from '../reasons.ts'
import { MISSING_FACTS_SINCE } from '../versions.ts'

/* Types of the stored facts of one page; the page itself is never stored. This file loads no schema, because the worker thread imports it. */

export const repeatedFacts = ['name', 'registrationNumber', 'phone', 'mailDomain', 'street'] as const
export type RepeatedFact = (typeof repeatedFacts)[number]
export const repeatAnswers = ['yes', 'no', 'not_known'] as const
export type Repeats = Readonly<Record<RepeatedFact, (typeof repeatAnswers)[number]>>

export const suspicions = ['parked', 'unfinished', 'wall', 'not_found'] as const
export type Suspicion = (typeof suspicions)[number]

export const charsetOrigins = ['byte_order_mark', 'header', 'document', 'valid_utf8', 'assumed'] as const
export type Charset = { name: string; from: (typeof charsetOrigins)[number]; isDoubtful: boolean }

export type Counts = { text: number; links: number; forms: number; scripts: number }

/** Charset, counts and title are null if the page could not be read. */
export type PageFacts = {
  /** null for a page that a person supplied */
  status: number | null
  mediaType: string | null
  charset: Charset | null
  bytes: { wire: number | null; decoded: number }
  sha256: string
  /** with masked contact values */
  title: string | null
  counts: Counts | null
  repeats: Repeats
  /** suspicions whose words occur on the page */
  words: readonly Suspicion[]
}

export const nothingKnown: Repeats = {
  name: 'not_known',
  registrationNumber: 'not_known',
  phone: 'not_known',
  mailDomain: 'not_known',
  street: 'not_known',
}

/** Turns each `no` into `not_known`, for a page whose text was not read to its end. */
export function withoutMissing(repeats: Repeats): Repeats {
  const cautious = (answer: Repeats[RepeatedFact]) => (answer === 'no' ? 'not_known' : answer)
  return {
    name: cautious(repeats.name),
    registrationNumber: cautious(repeats.registrationNumber),
    phone: cautious(repeats.phone),
    mailDomain: cautious(repeats.mailDomain),
    street: cautious(repeats.street),
  }
}

/** Returns the repeats of a stored scan without the missing facts that its scanner could not know. */
export function repeatsBy(scannerVersion: number, repeats: Repeats): Repeats {
  return scannerVersion < MISSING_FACTS_SINCE ? withoutMissing(repeats) : repeats
}

/** Facts of the record that a page is compared with. */
export type KnownFacts = {
  names: readonly string[]
  registrationNumber: string | null
  /** in normalized form */
  phones: readonly string[]
  /** the record's own domains */
  domains: readonly string[]
  street: string | null
}

export type PageOrder = {
  bytes: Uint8Array
  /** the header's value; null without the header */
  contentType: string | null
  format: 'html' | 'text'
  url: string
  known: KnownFacts
  maxBytes: number
  maxLinks: number
}

/** A link to a page of the same site whose text or path contains a contact or about word. */
export type FoundLink = { url: string; role: 'contact' | 'about' }

export type ReadPage = Pick<PageFacts, 'title' | 'counts' | 'repeats' | 'words'> & {
  charset: Charset
  links: readonly FoundLink[]
  /** other hosts that the page declares as its own */
  otherHosts: readonly string[]
  reasons: readonly ScanReason[]
  /** beginning of the visible text, with masked contact values; null if the page shows no text. Held in memory only */
  opening: string | null
}
