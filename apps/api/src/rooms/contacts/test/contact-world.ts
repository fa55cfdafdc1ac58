import type { TestAppOptions } from '../../../../test/build-app.ts'
import { jobWorld } from '../../../../test/job-world.ts'
import { createProspect, type Refusal } from '../../../../test/prospects.ts'
import { daysAfter } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { Scan } from '../../scanning/scans/scans.schema.ts'
import { formWith } from '../../scanning/test/page-forms.ts'
import { markEvaluatedWhenEmpty } from '../../suppression/suppression.ts'
import type { ContactCandidate } from '../candidates/candidates.schema.ts'
import { contactExtraction } from '../contacts.jobs.ts'
import type { Readiness } from '../enablement/enablement.schema.ts'
import type { Extraction } from '../extractions/extractions.schema.ts'

export const reason = 'It is on their own page.'
export const headers = () => ({ 'idempotency-key': newId() })

/** A prospect with the approved site karoo.co.za, in a workspace where extraction is enabled, and a worker. */
export async function contactWorld({
  isEnabled = true,
  hasWorker = true,
  limits = {},
  ...options
}: { isEnabled?: boolean; hasWorker?: boolean; limits?: object } & TestAppOptions = {}) {
  const { t, operator, work, ended } = await jobWorld([contactExtraction], {
    config: { sessionIdleMinutes: 1_000_000, sessionAbsoluteHours: 20_000 },
    ...options,
  })
  if (hasWorker) work()
  await markEvaluatedWhenEmpty(t.store, t.tenants.home.id)
  const manager = await t.as('manager')
  const administrator = await t.as('administrator')
  const { id } = await createProspect(operator, { name: 'Karoo Fencing', domains: [{ value: 'karoo.co.za' }] })
  const inDays = (days: number) => daysAfter(t.clock(), days)
  const approve = async (businessId = id, host = 'karoo.co.za', days = 300, client = manager) => {
    const site = await operator.post<{ id: string; fingerprint: string }>(`/businesses/${businessId}/official-sites`, {
      host,
    })
    const decision = {
      decision: 'approve',
      reason,
      fingerprint: site.body.fingerprint,
      validUntil: inDays(days),
      confirmUsedByOthers: true,
    }
    const { status } = await client.post(`/official-sites/${site.body.id}/decision`, decision, headers())
    if (status !== 200) throw new Error('The site was not approved.')
    return site.body.id
  }
  const enable = (body: object = {}, client = administrator) =>
    client.post<Readiness & Refusal>('/extraction/enablement', {
      enabled: true,
      reason,
      validUntil: inDays(200),
      ...body,
    })
  const supply = async (page: string, fields: Record<string, string> = {}, businessId = id) => {
    const form = formWith(`<!doctype html>${page}`, fields)
    const { status, body } = await operator.post<Scan>(`/businesses/${businessId}/supplied-pages`, form.body, {
      'content-type': form.contentType,
      ...headers(),
    })
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body.id
  }
  const request = (scanIds: string[], businessId = id) =>
    operator.post<Extraction & Refusal>('/extractions', { businessId, scanIds }, headers())
  const readExtraction = async (extractionId: string) =>
    (await operator.get<Extraction>(`/extractions/${extractionId}`)).body
  /** Supplies these pages and extracts from them. */
  const extract = async (...pages: (string | [page: string, fields: Record<string, string>])[]) => {
    const scans: string[] = []
    for (const page of pages) scans.push(typeof page === 'string' ? await supply(page) : await supply(...page))
    const { body, status } = await request(scans)
    if (status === 202 && body.jobId !== null) await ended(body.jobId)
    return readExtraction(body.id)
  }
  const list = async (query = '') =>
    (await operator.get<{ items: ContactCandidate[] }>(`/contact-candidates?limit=200${query}`)).body.items
  const decide = ({ id: candidateId, fingerprint }: ContactCandidate, body: object, client = operator) =>
    client.post<ContactCandidate & Refusal>(
      `/contact-candidates/${candidateId}/decision`,
      { decision: 'accept', fingerprint, ...body },
      headers(),
    )
  const suppress = async (kind: string, value: string) => {
    const entry = {
      kind,
      value,
      reason: 'They asked.',
      channel: 'email',
      ...(kind === 'domain' ? { scope: 'with_subdomains' } : {}),
    }
    const { status, body } = await operator.post('/suppressions', entry)
    if (status !== 201) throw new Error(JSON.stringify(body))
  }
  const siteId = await approve()
  if (isEnabled) {
    const { status, body } = await enable({ limits })
    if (status !== 201) throw new Error(JSON.stringify(body))
  }
  return {
    t,
    id,
    siteId,
    operator,
    manager,
    administrator,
    ended,
    inDays,
    approve,
    enable,
    supply,
    request,
    readExtraction,
    extract,
    list,
    decide,
    suppress,
    work,
  }
}
