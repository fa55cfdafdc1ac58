import { expect, test } from 'vitest'
import { JobInterrupted } from '../worker/job-interrupted.ts'
import { MAX_RUNS_PER_TENANT, runInTurn } from '../worker/run-turns.ts'

test('runs of one tenant leave room for those of another, and a cancelled run stops waiting', async () => {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const run = (tenantId: string, signal = new AbortController().signal) =>
    runInTurn({ tenantId, signal }, async () => {
      begun.push(tenantId)
      await new Promise<void>((resolve) => ends.push(resolve))
    })
  const cancelled = new AbortController()
  const runs = Array.from({ length: MAX_RUNS_PER_TENANT }, () => run('home'))
  const refused = run('home', cancelled.signal)
  const waiting = run('home')
  const other = run('other')
  cancelled.abort(new JobInterrupted('cancelled'))
  await expect(refused).rejects.toBeInstanceOf(JobInterrupted)
  expect(begun).toEqual(['home', 'home', 'other'])
  ends[0]?.()
  await runs[0]
  await expect.poll(() => begun).toEqual(['home', 'home', 'other', 'home'])
  for (const end of ends) end()
  await Promise.all([...runs, waiting, other])
})
