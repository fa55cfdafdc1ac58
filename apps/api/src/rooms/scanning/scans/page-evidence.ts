import { AppError, namesNothing } from '../../../lib/app-error.ts'
import { utcMinute } from '../../../lib/calendar.ts'
import { listed } from '../../../lib/listed.ts'
import type { Tx } from '../../../store/change/change.ts'
import { familyOf, getActiveBusiness } from '../../businesses/businesses.ts'
import { requireMayBeStored } from '../../contact-gate/contact-gate.ts'
import { addEvidence } from '../../evidence/evidence.ts'
import type { RepeatedFact } from '../pages/page-facts.ts'
import type { AddPageEvidence } from './page-evidence.schema.ts'
import { findScan } from './scans.queries.ts'

const factWords: Readonly<Record<RepeatedFact, string>> = {
  name: 'the name',
  registrationNumber: 'the registration number',
  phone: 'a phone number',
  mailDomain: 'an email address at a domain',
  street: 'the street',
}

/**
 * Stores which facts of the prospect one page of a scan shows and does not show, as an observation with the address and time of the page. A fact that
 * is not known is never evidence. Errors: `not_found`, `business_not_active`, `suppressed`, `fact_not_known`.
 */
export async function addPageEvidence(
  tx: Tx,
  businessId: string,
  { scanId, page: position, repeats, confidence }: AddPageEvidence,
): Promise<{ id: string; businessId: string }> {
  const { tenantId } = tx.actor
  const business = await getActiveBusiness(tx, businessId)
  const scan = await findScan(tx.db, { tenantId, id: scanId })
  if (scan === undefined || !(await familyOf(tx.db, tenantId, businessId)).includes(scan.businessId))
    throw namesNothing('scanId', 'There is no such scan of this prospect.')
  const page = scan.pages[position]
  if (page === undefined) throw namesNothing('page', 'The scan has no such page.')
  const { observedAt, endedAt } = scan
  const known = page.facts?.repeats
  if (
    known === undefined ||
    observedAt === null ||
    endedAt === null ||
    repeats.some((fact) => known[fact] === 'not_known')
  )
    throw notKnown(repeats.filter((fact) => known === undefined || known[fact] === 'not_known'))
  await requireFree(tx, business.doNotContact !== null, [page.url, page.facts?.title ?? ''])
  const isSupplied = scan.origin === 'supplied'
  return addEvidence(tx, businessId, {
    observation: observationOf(
      repeats.filter((fact) => known[fact] === 'yes'),
      repeats.filter((fact) => known[fact] === 'no'),
      endedAt,
    ),
    sourceLabel: isSupplied ? 'Supplied page' : 'Website',
    sourceReference: `scan ${scan.id}`,
    capturedAt: observedAt,
    confidence,
    ...(page.facts?.title == null ? {} : { context: `Title of the page: ${page.facts.title}` }),
    // A masked address opens nothing.
    ...(page.url.includes('***') ? {} : { url: page.url }),
  })
}

function notKnown(facts: readonly RepeatedFact[]): AppError {
  const message = `Whether the page shows ${facts.length === 0 ? 'this fact' : listed(wordsFor(facts))} of the prospect is not known, so this is no evidence. Choose facts that the page clearly shows or does not show.`
  return new AppError('fact_not_known', message, { errors: [{ path: 'repeats', code: 'fact_not_known', message }] })
}

/** Errors: `suppressed`. */
async function requireFree(tx: Tx, isBlocked: boolean, texts: readonly string[]): Promise<void> {
  const message =
    'This prospect, or the host, the address or the title of the page, is marked do not contact, so nothing is added.'
  if (isBlocked) throw new AppError('suppressed', message)
  const values = texts.map((value) => ({ kind: 'domain' as const, value }))
  await requireMayBeStored(tx, values, { message })
}

/** Returns the observation. It names the time of the scan, because the record can change after the scan. */
function observationOf(shown: readonly RepeatedFact[], missing: readonly RepeatedFact[], scanEndedAt: string): string {
  const parts = [
    ...(shown.length === 0 ? [] : [`shows ${listed(wordsFor(shown))}`]),
    ...(missing.length === 0 ? [] : [`does not show ${listed(wordsFor(missing))}`]),
  ]
  return `The page ${parts.join(', and ')} of the prospect. The scan that ended at ${utcMinute(scanEndedAt)} compared the page with the record.`
}

function wordsFor(facts: readonly RepeatedFact[]): string[] {
  return facts.map((fact) => factWords[fact])
}
