import type { OfficialSite, Scan, ScanCondition, ScanPage } from '@prospect/api-client'

export const stateWords: Readonly<Record<Scan['state'], string>> = {
  deferred: 'Deferred',
  queued: 'Queued',
  running: 'Running',
  complete: 'Complete',
  incomplete: 'Incomplete',
  blocked: 'Blocked',
  cancelled: 'Cancelled',
}

export const freshnessWords: Readonly<Record<Scan['freshness'], string>> = {
  fresh: 'Fresh',
  stale: 'Stale',
  policy_changed: 'Policy changed',
}

export const siteWords: Readonly<Record<OfficialSite['state'], string>> = {
  proposed: 'Proposed',
  approved: 'Approved until',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
}

export const suspicionWords: Readonly<Record<ScanPage['suspected'][number], string>> = {
  parked: 'Possibly parked',
  unfinished: 'Possibly unfinished',
  wall: 'Possibly behind an access wall',
  not_found: 'Possibly a not-found page',
}

export const classWords: Readonly<Record<ScanPage['class'], string>> = {
  content: 'Shows content',
  empty: 'Shows no text',
  needs_script: 'Needs scripts to show its content',
  error: 'Answered with an error',
  not_html: 'Is no web page',
  unreadable: 'Could not be read',
  unknown: 'Unknown',
}

export const roleWords: Readonly<Record<ScanPage['role'], string>> = {
  start: 'Start page',
  contact: 'Contact page',
  about: 'About page',
  other: 'Other page',
}

export const repeatWords = {
  name: 'Name',
  registrationNumber: 'Registration number',
  phone: 'Phone',
  mailDomain: 'Mail domain',
  street: 'Street',
} as const

export const answerWords = { yes: 'yes', no: 'no', not_known: 'not known' } as const

export const conditionWords: Readonly<Record<ScanCondition['key'], string>> = {
  adapter_not_loaded: 'No web adapter is loaded.',
  terms_expired: 'The terms of the source have expired.',
  source_not_enabled: 'No source of web pages is enabled.',
  circuit_open: 'The source was stopped after failures.',
  daily_limit: 'The scans of today are used up.',
  do_not_contact: 'The prospect is do not contact.',
}

const reasonWords: Readonly<Partial<Record<Scan['reasons'][number], string>>> = {
  other_host: 'The page is of another host than the record.',
  decoded_limit: 'The page is larger than is read: the rest is unknown.',
  size_limit: 'The page is larger than is read: the rest is unknown.',
  node_limit: 'The page has too many parts: the rest is unknown.',
  depth_limit: 'The page is nested too deeply: the rest is unknown.',
  link_limit: 'The page has more links than are examined.',
  page_limit: 'There are more pages than a scan reads.',
  parse_timeout: 'Reading the page took too long: its content is unknown.',
  time_limit: 'The time was over: the rest is unknown.',
  charset_doubtful: 'The characters of the page may be misread.',
  robots_disallowed: 'The site asks not to be read (robots.txt).',
  robots_unavailable: 'The robots.txt of the site could not be read.',
  crawl_delay: 'The site asks for a longer wait between pages.',
  off_site: 'It leads to another site.',
  downgrade: 'It leads from https to http.',
  unsafe_address: 'The name leads to an address that may not be connected to.',
  rebinding: 'The name led to another, unsafe address.',
  interrupted: 'The scan was interrupted.',
  rate_limited: 'The site asks to wait.',
  access_denied: 'The site denies access.',
  dns_failed: 'The name could not be resolved.',
  connection_failed: 'The site could not be reached.',
  policy_changed: 'The rules changed.',
}

/** In words; of a condition, those of the condition; otherwise the code itself. */
export function reasonText(reason: Scan['reasons'][number]): string {
  const isCondition = (key: string): key is ScanCondition['key'] => key in conditionWords
  return reasonWords[reason] ?? (isCondition(reason) ? conditionWords[reason] : `${reason.replaceAll('_', ' ')}.`)
}

/** What a saved page says about itself: the link of "Save page as". */
export function savedFrom(html: string): string | null {
  return /<!-- saved from url=\(\d+\)(https?:\S+) -->/.exec(html.slice(0, 2_000))?.[1] ?? null
}

/** A role by the words of an address. */
export function roleOf(url: string): ScanPage['role'] {
  if (/contact|kontak/i.test(url)) return 'contact'
  if (/about|oor-?ons/i.test(url)) return 'about'
  return /^https?:\/\/[^/]+\/?$/i.test(url) ? 'start' : 'other'
}
