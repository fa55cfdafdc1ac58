import type { ScanReason } from '../reasons.ts'
import type { PageClass } from '../scanning.table.ts'
import { type PageFacts, type Suspicion, withoutMissing } from './page-facts.ts'
import { LITTLE_TEXT } from './page-words.data.ts'

/* Classifies a page. A class is an observation of the page, never of the business (specification, Phase 8 §3). Pure functions of stored facts. */

const readable = new Set(['text/html', 'application/xhtml+xml', 'text/plain'])

export type JudgedPage = { facts: PageFacts | null; class: PageClass; suspected: Suspicion[] }

/**
 * Classifies a page. A fact of the record that was not found stays missing (`no`) only if the text of the page was read to its end. Otherwise the text
 * that was not read may state the fact, so the answer becomes `not_known`.
 */
export function judgePage(facts: PageFacts | null, reasons: readonly ScanReason[]): JudgedPage {
  const judged = { class: classOf(facts, reasons), suspected: suspectedOf(facts) }
  if (facts === null || isTextWhole(facts, judged, reasons)) return { ...judged, facts }
  return { ...judged, facts: { ...facts, repeats: withoutMissing(facts.repeats) } }
}

/** Hardly any text is no whole text: pictures, frames or scripts show the rest. */
function isTextWhole(
  { counts }: PageFacts,
  { class: pageClass, suspected }: Omit<JudgedPage, 'facts'>,
  reasons: readonly ScanReason[],
): boolean {
  const isRead = pageClass === 'content' && counts !== null && counts.text >= LITTLE_TEXT
  return isRead && !suspected.includes('wall') && !isCut(reasons) && !reasons.includes('charset_doubtful')
}

/** A page without facts is `unknown`, or `unreadable` if its encoding is unsupported. */
export function classOf(facts: PageFacts | null, reasons: readonly ScanReason[]): PageClass {
  if (facts === null) return reasons.includes('encoding_unsupported') ? 'unreadable' : 'unknown'
  if (facts.status !== null && facts.status >= 400) return 'error'
  if (facts.mediaType !== null && !readable.has(facts.mediaType)) return 'not_html'
  if (facts.counts === null) return reasons.includes('parse_timeout') ? 'unreadable' : 'unknown'
  const { text, scripts } = facts.counts
  if (text < LITTLE_TEXT && scripts > 0) return 'needs_script'
  if (text > 0) return 'content'
  // The beginning of a truncated page says nothing about its rest.
  return isCut(reasons) ? 'unknown' : 'empty'
}

function isCut(reasons: readonly ScanReason[]): boolean {
  const cuts: readonly ScanReason[] = ['size_limit', 'decoded_limit', 'node_limit', 'depth_limit', 'time_limit']
  return reasons.some((reason) => cuts.includes(reason))
}

/** Returns suspicions. None of them changes the class of the page. */
export function suspectedOf(facts: PageFacts | null): Suspicion[] {
  if (facts === null) return []
  const { status, words } = facts
  const isDenied = status === 401 || status === 403
  const isMissing = status === 404 || status === 410
  const found = new Set<Suspicion>(words)
  if (isDenied) found.add('wall')
  if (isMissing) found.add('not_found')
  return [...found]
}
