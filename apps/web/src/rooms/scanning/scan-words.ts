import type { OfficialSite, Scan, ScanCondition, ScanPage } from '@prospect/api-client'

export const siteWords: Readonly<Record<OfficialSite['state'], string>> = {
  proposed: 'Proposed',
  approved: 'Approved until',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
}

export const suspicionWords: Readonly<Record<ScanPage['suspected'][number], string>> = {
  parked: 'Possibly parked',
  unfinished: 'Possibly unfinished',
  wall: 'Possibly behind a login',
  not_found: 'Possibly a “page not found” message',
}

export const classWords: Readonly<Record<ScanPage['class'], string>> = {
  content: 'Shows content',
  empty: 'Shows no text',
  needs_script: 'Shows content only after scripts run',
  error: 'Answered with an error',
  not_html: 'Not a web page',
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

export const answerWords = { yes: 'yes', no: 'no', not_known: 'cannot tell' } as const

export type RepeatedFact = keyof typeof repeatWords
export const repeatedFacts: readonly RepeatedFact[] = ['name', 'registrationNumber', 'phone', 'mailDomain', 'street']

/** Facts of the record that the page shows or does not show. Of the other facts it is not known, so they are no evidence. */
export function knownRepeats({ facts }: Pick<ScanPage, 'facts'>): RepeatedFact[] {
  return facts === null ? [] : repeatedFacts.filter((fact) => facts.repeats[fact] !== 'not_known')
}

export const conditionWords: Readonly<Record<ScanCondition['key'], string>> = {
  adapter_not_loaded: 'No connector for web pages is installed.',
  terms_expired: 'The terms of the source have expired.',
  source_not_enabled: 'No source of web pages is enabled.',
  circuit_open: 'The source was stopped after failures.',
  daily_limit: 'The daily scan limit is reached.',
  do_not_contact: 'The prospect is marked do not contact.',
}

const reasonWords: Readonly<Partial<Record<Scan['reasons'][number], string>>> = {
  other_host: 'The page is on another website than the record shows.',
  decoded_limit: 'The page is too large, so only a part was read.',
  size_limit: 'The page is too large, so only a part was read.',
  node_limit: 'The page has too many parts, so only some were read.',
  depth_limit: 'The page is nested too deeply, so only a part was read.',
  link_limit: 'The page has too many links to examine.',
  page_limit: 'The site has more pages than a scan reads.',
  parse_timeout: 'Reading the page took too long, so its content is unknown.',
  time_limit: 'The time limit was reached, so only a part was read.',
  charset_doubtful: 'The characters of the page may be misread.',
  robots_disallowed: 'The site does not allow reading (robots.txt).',
  robots_unavailable: 'Could not read the robots.txt of the site.',
  crawl_delay: 'The site requires a longer wait between pages.',
  off_site: 'The page redirects to another site.',
  downgrade: 'The page redirects from https to http.',
  unsafe_address: 'The domain leads to a network address that may not be opened.',
  rebinding: 'The domain leads to an unsafe network address, so the site was not scanned.',
  interrupted: 'The scan was interrupted.',
  rate_limited: 'The site asks us to wait.',
  access_denied: 'The site denies access.',
  dns_failed: 'DNS did not give an address for the domain.',
  nxdomain: 'The domain does not exist in DNS.',
  connection_failed: 'Could not reach the site.',
  policy_changed: 'The scan policy changed.',
}

/** Text of a reason; for an unmet condition, the text of the condition; otherwise the code itself. */
export function reasonText(reason: Scan['reasons'][number]): string {
  const isCondition = (key: string): key is ScanCondition['key'] => key in conditionWords
  return reasonWords[reason] ?? (isCondition(reason) ? conditionWords[reason] : `${reason.replaceAll('_', ' ')}.`)
}

/** Address in a page saved with the browser's "Save page as", or null. */
export function savedFrom(html: string): string | null {
  return /<!-- saved from url=\(\d+\)(https?:\S+) -->/.exec(html.slice(0, 2_000))?.[1] ?? null
}

/** Guesses the role of a page from its address. */
export function roleOf(url: string): ScanPage['role'] {
  if (/contact|kontak/i.test(url)) return 'contact'
  if (/about|oor-?ons/i.test(url)) return 'about'
  return /^https?:\/\/[^/]+\/?$/i.test(url) ? 'start' : 'other'
}
