import { randomUUID } from 'node:crypto'
import { expectStatus, expectThat, listAt, textAt } from '../../acceptance/acceptance-client.ts'
import type { OwnWorld } from '../../acceptance/gates.ts'
import { pageHead } from '../../acceptance/page-head.ts'
import { daysAfter } from '../../lib/clock.ts'
import type { ContactCandidate } from './candidates/candidates.schema.ts'
import type { Extraction } from './extractions/extractions.schema.ts'

export const reason = 'A fixture of the acceptance run.'
export const key = () => ({ 'idempotency-key': randomUUID() })
const BOUNDARY = 'page-of-a-fixture'

type Fields = { url?: string; role?: 'start' | 'contact' | 'about' | 'other'; contentType?: string }
/** `Buffer`: a whole page. A string is the part of a page behind a text that every page of the fixtures has. */
export type Page = string | [html: string | Buffer, fields: Fields]

/** Text of every page of the fixtures, so that no page is too short to be read without scripts. */
const text = '<p>We build fences of steel for farms in the Karoo, and we repair them.</p>'

/** A form with one page, as a browser sends it. */
function formOf(html: string | Buffer, capturedAt: string, { url = '', role = 'contact', contentType }: Fields) {
  const whole = typeof html === 'string' ? `<!doctype html>${pageHead}${text}${html}` : html
  const part = (head: string, body: string | Buffer) => [`--${BOUNDARY}\r\n${head}\r\n\r\n`, body, '\r\n']
  const parts = [
    ...part(
      `Content-Disposition: form-data; name="page"; filename="page.html"\r\nContent-Type: ${contentType ?? 'text/html'}`,
      whole,
    ),
    ...Object.entries({ url, role, capturedAt }).flatMap(([name, value]) =>
      part(`Content-Disposition: form-data; name="${name}"`, value),
    ),
    `--${BOUNDARY}--\r\n`,
  ]
  return {
    text: Buffer.concat(parts.map((one) => Buffer.from(one))),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, ...key() },
  }
}

/** The fields that the fixtures read from the response to a supplied page. */
type SuppliedScan = {
  id: string
  state: string
  pages: {
    class: string
    suspected: string[]
    facts: { title: string | null; repeats: Record<string, string> } | null
  }[]
}

export type SiteOfFixtures = Awaited<ReturnType<typeof siteOfFixtures>>

/** A prospect with a site, by default approved for 300 days, and what the fixtures do with it. */
export async function siteOfFixtures(
  { client, colleague, store, jobsEnded }: OwnWorld,
  { host = 'karoo.co.za', days = 300, record = {} }: { host?: string; days?: number; record?: object } = {},
) {
  const inDays = (days: number) => daysAfter(store.clock(), days)
  const made = async (path: string, body: unknown, status = 201, by = client): Promise<unknown> =>
    expectStatus(await by.post(path, body, key()), status, path).body
  const prospect = { name: 'Karoo Fencing', domains: [{ value: host }], ...record }
  const businessId = textAt(await made('/businesses', prospect), 'id')
  const site = await made(`/businesses/${businessId}/official-sites`, { host })
  const decide = (decision: 'approve' | 'withdraw', more: object) =>
    made(`/official-sites/${textAt(site, 'id')}/decision`, { decision, reason, ...more }, 200, colleague)
  const enable = (limits: object = {}, until = 200) =>
    made('/extraction/enablement', { enabled: true, reason, validUntil: inDays(until), limits })
  const disable = () => made('/extraction/enablement', { enabled: false, reason })
  const supply = async (page: Page): Promise<string> => (await supplyPage(page)).id
  const supplyPage = async (page: Page): Promise<SuppliedScan> => {
    const [html, fields] = typeof page === 'string' ? [page, {}] : page
    const sent = formOf(html, inDays(-1), { url: `https://${host}/contact`, ...fields })
    const answer = await client.send('POST', `/businesses/${businessId}/supplied-pages`, sent)
    return expectStatus(answer, 201, 'a supplied page').body as SuppliedScan
  }
  const request = async (...scanIds: string[]) => {
    const answer = await client.post('/extractions', { businessId, scanIds }, key())
    return { status: answer.status, extraction: answer.body as Extraction }
  }
  const read = async (id: string) =>
    expectStatus(await client.get(`/extractions/${id}`), 200, 'the extraction').body as Extraction
  /** Supplies these pages, and extracts from them. */
  const extract = async (...pages: Page[]): Promise<Extraction> => {
    const scanIds: string[] = []
    for (const page of pages) scanIds.push(await supply(page))
    const { extraction } = await request(...scanIds)
    await jobsEnded()
    return read(extraction.id)
  }
  const list = async (query = ''): Promise<ContactCandidate[]> => {
    const answer = expectStatus(await client.get(`/contact-candidates?limit=200${query}`), 200, 'the candidates')
    return listAt(answer.body, 'items') as ContactCandidate[]
  }
  const suppress = (kind: 'email' | 'phone' | 'domain', value: string) =>
    made('/suppressions', {
      kind,
      value,
      reason,
      channel: 'email',
      ...(kind === 'domain' ? { scope: 'with_subdomains' } : {}),
    })
  const approval = { fingerprint: textAt(site, 'fingerprint'), validUntil: inDays(days) }
  if (days > 0) await decide('approve', approval)
  const withdraw = async () => {
    const sites = expectStatus(await client.get(`/businesses/${businessId}/official-sites`), 200, 'the site')
    return decide('withdraw', { fingerprint: textAt(sites.body, 'items.0.fingerprint') })
  }
  return { businessId, withdraw, enable, disable, supply, supplyPage, request, read, extract, list, suppress }
}

/** Fails if an extraction did not end as it should, or names another reason. */
export function expectEnd(
  { state, reasons }: Extraction,
  wanted: Extraction['state'],
  ...named: Extraction['reasons']
) {
  const isSame = state === wanted && named.every((one) => reasons.includes(one)) && reasons.length === named.length
  expectThat(isSame, `The extraction is ${state} (${reasons.join(', ')}) instead of ${wanted} (${named.join(', ')}).`)
}
