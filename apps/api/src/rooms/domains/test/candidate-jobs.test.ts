import { expect, test } from 'vitest'
import { untilJob, work } from '../../../../test/job-world.ts'
import { savePositionVersion } from '../../../store/change/follow-audit.queries.ts'
import type { Job } from '../../jobs/jobs.schema.ts'
import { jobKindsOf } from '../../jobs/jobs.ts'
import { domainCandidates, domainReevaluation } from '../candidates/candidates.jobs.ts'
import { type DomainsWorld, domainsWorld } from './domains-world.ts'

async function run({ t }: DomainsWorld, jobId: string): Promise<unknown> {
  const kinds = jobKindsOf([domainCandidates, domainReevaluation])
  const worker = work({ store: t.store, kinds })
  const { status, result_json: result } = await untilJob(t.store, jobId, ({ ended_at }) => ended_at !== null)
  await worker.stop()
  expect(status).toBe('succeeded')
  return JSON.parse(result ?? '{}')
}

/** Changes the stored rows as if another suffix list and other rules had derived them. */
async function makeOlder({ t }: DomainsWorld): Promise<void> {
  await t.store.write({ tenantId: t.tenants.home.id }, async (db) => {
    await savePositionVersion(db, { tenantId: t.tenants.home.id, follower: 'domains', version: 'older' })
    await db
      .updateTable('domain_candidate_states')
      .set({ suffix_list_version: 'older', algorithm_version: 'domains-1' })
      .execute()
    await db.updateTable('domain_records').set({ rules_version: 'older' }).execute()
    return { keep: true, value: null }
  })
}

test('the job finds the candidates of all prospects, once, and only managers start it', async () => {
  const world = await domainsWorld()
  for (const name of ['Karoo', 'Overberg', 'Cederberg'])
    await world.prospect(name, { emails: [`info@${name.toLowerCase()}-mail.co.za`] })
  const start = (key: string, client = world.manager) =>
    client.post<Job>('/jobs', { kind: 'domain-candidates', input: {} }, { 'idempotency-key': key })
  expect((await start('a', world.operator)).status).toBe(403)
  const { body } = await start('b')
  expect(await run(world, body.id)).toEqual({ records: 3, opened: 3, updated: 0, superseded: 0 })
  const again = await start('c')
  expect(await run(world, again.body.id)).toEqual({ records: 3, opened: 0, updated: 0, superseded: 0 })
  await world.follow()
  expect(await world.open()).toHaveLength(3)
})

test('another suffix list, or other rules, start one re-evaluation: open candidates get the present version, decided ones keep theirs', async () => {
  const world = await domainsWorld()
  await world.prospect('Karoo', { emails: ['info@karoo-mail.co.za'] })
  await world.follow()
  const decided = await world.only()
  await world.decide(decided, { decision: 'reject' })
  await world.prospect('Overberg', { emails: ['info@overberg-mail.co.za'] })
  await world.follow()
  const open = await world.only()
  await makeOlder(world)
  await world.follow()
  await world.follow()
  const jobs = await world.t.store.reader.selectFrom('jobs').select(['id', 'kind']).execute()
  expect(jobs.map(({ kind }) => kind)).toEqual(['domain-reevaluation'])
  await run(world, jobs[0]?.id ?? '')
  expect((await world.candidate(open.id)).suffixListVersion).toBe(open.suffixListVersion)
  const states = await world.t.store.reader
    .selectFrom('domain_candidate_states')
    .select(['state', 'suffix_list_version', 'algorithm_version'])
    .orderBy('candidate_id')
    .execute()
  expect(states).toEqual([
    { state: 'rejected', suffix_list_version: 'older', algorithm_version: 'domains-1' },
    { state: 'open', suffix_list_version: open.suffixListVersion, algorithm_version: open.algorithmVersion },
  ])
  expect(await world.candidate(decided.id)).toMatchObject({
    suffixListVersion: 'older',
    currentSuffixList: { version: open.suffixListVersion, domain: 'karoo-mail.co.za', isSame: true },
  })
  await world.follow()
  expect(await world.t.store.reader.selectFrom('jobs').select('id').execute()).toHaveLength(1)
})
