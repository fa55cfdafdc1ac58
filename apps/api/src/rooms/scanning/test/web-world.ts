import type { Adapter } from '@prospect/adapter-contract/adapter'
import { untilJob, work } from '../../../../test/job-world.ts'
import { createProspect, type Refusal } from '../../../../test/prospects.ts'
import { sourceWorld } from '../../../../test/source-world.ts'
import { newId } from '../../../lib/ids.ts'
import { jobKindsOf } from '../../jobs/jobs.ts'
import { scanReevaluation, websiteScan } from '../scanning.jobs.ts'
import type { Scan } from '../scans/scans.schema.ts'
import { type Answer, webAdapter, webContract } from '../scripted-web.acceptance.ts'

type Answered = Scan & Refusal
export const START = 'https://karoo.co.za/'
export const home = '<title>Karoo Windpumps</title><p>Windpumps since 1998, built and repaired in the Karoo.</p>'

type Pages = Record<string, Answer> | ((url: string) => Answer | undefined | Promise<Answer | undefined>)

/** An app with an enabled source of web pages, whose adapter answers by a script, and a prospect with a domain. */
export async function webWorld(pages: Pages = { [START]: home }) {
  const web = webAdapter(typeof pages === 'function' ? pages : (url) => pages[url])
  return { ...(await scanWorld(web.adapter)), web }
}

/** The same with this adapter, as `fixture` in version 1.0.0. `changes`: items of the contract that differ. */
export async function scanWorld(adapter: Adapter, changes: Record<string, unknown> = {}) {
  const adapters = { file: { sha256: 'a'.repeat(64) }, items: [{ ...adapter, id: 'fixture', version: '1.0.0' }] }
  const kinds = jobKindsOf([websiteScan, scanReevaluation])
  const world = await sourceWorld({ adapters, kinds })
  const source = await world.enabled({ ...webContract, ...changes })
  const { t, author: manager } = world
  const { id: businessId } = await createProspect(manager, { domains: [{ value: 'karoo.co.za' }] })
  const ask = (body: object = {}, url = START) =>
    manager.post<Answered>('/scans', { businessId, url, ...body }, { 'idempotency-key': newId() })
  const read = async (id: string) => (await manager.get<Scan>(`/scans/${id}`)).body
  const begin = () => work({ store: t.store, kinds, adapters })
  const scan = async (body: object = {}, url = START) => {
    const answer = await ask(body, url)
    if (answer.status !== 202) throw new Error(JSON.stringify(answer.body))
    await untilJob(t.store, answer.body.jobId ?? '', ({ ended_at }) => ended_at !== null)
    return read(answer.body.id)
  }
  return { world, t, source, manager, businessId, ask, read, begin, scan, adapters }
}
