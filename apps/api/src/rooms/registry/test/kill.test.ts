import { expect, test } from 'vitest'
import { jobWorld } from '../../../../test/job-world.ts'
import { createProspect } from '../../../../test/prospects.ts'
import { sha256 } from '../../../lib/hashing.ts'
import { newId } from '../../../lib/ids.ts'
import { registryConfirmationJob, registryFileJob, registryResultJob } from '../registry.jobs.ts'
import type { Round } from '../registry.schema.ts'

const kinds = [registryFileJob, registryResultJob, registryConfirmationJob]
/** Three parts of the confirmed run. */
const PROSPECTS = 230

test('a confirmed run that stops between two parts continues behind the last part, and adds each value once', async () => {
  const { t, ended, operator, work, until } = await jobWorld(kinds)
  const manager = await t.as('manager')
  const first = work()
  const number = (n: number) => `+2782${String(1_000_000 + n)}`
  for (let n = 0; n < PROSPECTS; n++)
    await createProspect(operator, { name: `Farm ${n}`, phones: [{ value: number(n) }] })
  const { body: begun } = await manager.post<Round>(
    '/registry-rounds',
    { kinds: ['phone'], form: 'plain' },
    { 'idempotency-key': newId() },
  )
  await ended(begun.jobId)
  const path = `/registry-rounds/${begun.id}`
  const result = `value\n${Array.from({ length: PROSPECTS }, (_, n) => number(n)).join('\n')}\n`
  const sent = await manager.post<Round>(`${path}/results`, result as never, { 'content-type': 'text/csv' })
  await ended(sent.body.result?.jobId ?? '')
  await first.stop()

  const { body: confirmed } = await manager.post<Round>(`${path}/confirmation`, {
    resultSha256: sha256(result),
    reason: 'Listed by the registry.',
  })
  const jobId = confirmed.confirmation?.jobId ?? ''
  const entries = () =>
    t.store.reader.selectFrom('suppressions').select('normalized').where('reference', '=', begun.id).execute()
  const second = work()
  await until(jobId, ({ checkpoint_json }) => checkpoint_json !== null)
  await second.stop()
  const half = (await entries()).length
  expect([half >= 100, half % 100]).toEqual([true, half === PROSPECTS ? PROSPECTS % 100 : 0])

  work()
  expect((await ended(jobId)).status).toBe('succeeded')
  const added = (await entries()).map(({ normalized }) => normalized)
  expect([added.length, new Set(added).size]).toEqual([PROSPECTS, PROSPECTS])
  const { body: closed } = await manager.get<Round>(path)
  expect(closed).toMatchObject({ state: 'closed', outcome: { added: PROSPECTS, alreadyBlocked: 0, marked: PROSPECTS } })
})
