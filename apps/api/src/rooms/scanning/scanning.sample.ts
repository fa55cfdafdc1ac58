import { daysAfter } from '../../lib/clock.ts'
import type { SampleDesk } from '../sample-desk.ts'
import { endPageThread } from './pages/run-reading.ts'
import { decideSite, getSite, proposeSite } from './sites/official-sites.ts'
import { supplyPage } from './supplied/supply-page.ts'

const APPROVED_DAYS = 300
/** Proposals that wait for a decision. */
const PROPOSED = 2

/** Approves the website of one prospect and supplies its contact page; two more websites are proposed. The contacts room reads the page. */
export async function sampleScanning(desk: SampleDesk): Promise<void> {
  const { store, people, prospects, now, as } = desk
  const [operator] = people.operators
  const [first, ...others] = prospects.filter(({ isWorked, domain }) => isWorked && domain !== null)
  if (first?.domain == null) return
  const propose = (businessId: string, host: string) =>
    as(operator, 'official_site.propose', (tx) => proposeSite(tx, businessId, { host }))
  const { id } = await propose(first.id, first.domain)
  const { fingerprint } = await getSite(store, people.manager, id)
  await as(people.manager, 'official_site.decide', (tx) =>
    decideSite(tx, id, {
      decision: 'approve',
      reason: 'The page states their name and their registration number.',
      fingerprint,
      validUntil: daysAfter(now, APPROVED_DAYS),
      confirmUsedByOthers: true,
    }),
  )
  for (const { id: businessId, domain } of others.slice(0, PROPOSED))
    if (domain !== null) await propose(businessId, domain)
  const options = { permission: null, action: 'scan.end' } as const
  const page = {
    page: new TextEncoder().encode(contactPage(first.name, first.domain)),
    url: `https://${first.domain}/contact`,
    capturedAt: daysAfter(now, -2),
    role: 'contact',
  } as const
  const { value } = await supplyPage(store, operator, options, first.id, page)
  desk.suppliedPage = { businessId: first.id, scanId: value.id }
  await endPageThread()
}

/** Phones become candidates. The address does not: addresses below .example, as all domains of a sample are, count as examples. */
function contactPage(name: string, domain: string): string {
  const shown = name.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<!doctype html><html lang="en"><head><title>Contact ${shown}</title></head><body><main>
<h1>Contact ${shown}</h1>
<p>Orders: +27 21 555 0148</p>
<p>Office: 021 555 0149, weekdays from 8 to 5</p>
<p>Write to us: office@${domain}</p>
</main></body></html>`
}
