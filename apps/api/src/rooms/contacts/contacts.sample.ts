import { daysAfter } from '../../lib/clock.ts'
import type { SampleDesk } from '../sample-desk.ts'
import { contactExtraction } from './contacts.jobs.ts'
import { setEnablement } from './enablement/enablement.ts'
import { extractAtOnce } from './extractions/run-extraction.ts'
import { endContactThread } from './reading/run-contact-reading.ts'

const ENABLED_DAYS = 60
/** The page is known, so a busy machine may take longer than the limit for pages of others. */
const PAGE_MS = 60_000

/** Enables extraction and extracts the contacts of the supplied page, which wait for a decision. */
export async function sampleContacts({ store, people, suppliedPage, now, as }: SampleDesk): Promise<void> {
  if (suppliedPage === undefined) return
  const { businessId, scanId } = suppliedPage
  await as(people.administrator, 'extraction.enable', (tx) =>
    setEnablement(tx, {
      enabled: true,
      reason: 'Sample: pages of approved official sites only.',
      validUntil: daysAfter(now, ENABLED_DAYS),
    }),
  )
  const by = { store, actor: people.operators[0], kind: contactExtraction, pageMs: PAGE_MS }
  await extractAtOnce(by, { businessId, scanIds: [scanId] })
  await endContactThread()
}
