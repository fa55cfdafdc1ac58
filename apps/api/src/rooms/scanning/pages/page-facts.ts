import type { ScanReason } from '../reasons.ts'

/* Facts of one page, as they are stored: never the page itself. Loads no schema, because threads read pages. */

export const pageRoles = ['start', 'contact', 'about', 'other'] as const
export type PageRole = (typeof pageRoles)[number]

export const repeatedFacts = ['name', 'registrationNumber', 'phone', 'mailDomain', 'street'] as const
export type RepeatedFact = (typeof repeatedFacts)[number]
export const repeatAnswers = ['yes', 'no', 'not_known'] as const
export type Repeats = Readonly<Record<RepeatedFact, (typeof repeatAnswers)[number]>>

export const suspicions = ['parked', 'unfinished', 'wall', 'not_found'] as const
export type Suspicion = (typeof suspicions)[number]

export const charsetOrigins = ['byte_order_mark', 'header', 'document', 'valid_utf8', 'assumed'] as const
export type Charset = { name: string; from: (typeof charsetOrigins)[number]; isDoubtful: boolean }

export type Counts = { text: number; links: number; forms: number; scripts: number }

/** Charset, counts and title are null where the page could not be read. */
export type PageFacts = {
  /** null: a person supplied the page */
  status: number | null
  mediaType: string | null
  charset: Charset | null
  bytes: { wire: number | null; decoded: number }
  sha256: string
  /** contact values in it are masked */
  title: string | null
  counts: Counts | null
  repeats: Repeats
  /** suspicions for which the page contains the words */
  words: readonly Suspicion[]
}

export const nothingKnown: Repeats = {
  name: 'not_known',
  registrationNumber: 'not_known',
  phone: 'not_known',
  mailDomain: 'not_known',
  street: 'not_known',
}

/** What a record says, for comparing a page with it. */
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
  /** the header; null: there was none */
  contentType: string | null
  format: 'html' | 'text'
  url: string
  known: KnownFacts
  maxBytes: number
  maxLinks: number
}

/** A link to a page of the same site that says contact or about. */
export type FoundLink = { url: string; role: 'contact' | 'about' }

export type ReadPage = Pick<PageFacts, 'title' | 'counts' | 'repeats' | 'words'> & {
  charset: Charset
  links: readonly FoundLink[]
  /** other hosts that the page says it is of */
  otherHosts: readonly string[]
  reasons: readonly ScanReason[]
}
