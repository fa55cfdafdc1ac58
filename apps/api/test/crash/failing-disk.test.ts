import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { freePort } from '../../../../script/lib/free-port.ts'
import { signIn, startApi } from '../api-process.ts'

/** Maximum file size that the operating system allows the process. Beyond it writes fail, as on a full disk. */
const ROOM_BYTES = 6 * 1024 * 1024

test('a process with a full disk reports it, continues to read, and recovers when there is space', async ({
  expect,
}) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'prospect-disk-'))
  const port = await freePort()
  const api = startApi({ dataDir, port, command: ['prlimit', `--fsize=${ROOM_BYTES}:unlimited`] })
  onTestFinished(async () => {
    await api.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  })
  await api.ready()
  const session = await signIn(port)
  const create = (n: number) =>
    session.post(
      '/businesses',
      { name: `Prospect ${n}`, address: { street: 'x'.repeat(200) } },
      { 'idempotency-key': `key-${n}` },
    )

  const readiness = () => session.get('/health/ready')

  // Continue to write after a failed write, because a checkpoint empties the log. Stop when neither the log nor the file can grow.
  let kept = 0
  let answer = await create(kept)
  let ready = await readiness()
  for (let asked = 0; asked < 20_000 && (answer.status === 201 || ready.status === 200); asked++) {
    if (answer.status === 201) kept += 1
    answer = await create(kept)
    if (answer.status !== 201) ready = await readiness()
  }
  expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable', reason: 'storage_failed' } })
  expect(ready.body).toMatchObject({ code: 'unavailable', reason: 'storage_failed' })
  expect((await session.get('/health/live')).status).toBe(200)
  expect((await session.get('/businesses?limit=1')).body).toMatchObject({ page: { total: { value: kept } } })

  execFileSync('prlimit', [`--pid=${api.pid}`, '--fsize=unlimited:unlimited'])
  expect((await create(kept)).status).toBe(201)
  expect((await session.get('/health/ready')).status).toBe(200)
  expect((await session.get('/audit-events/verification')).body).toMatchObject({ status: 'intact' })
  expect((await session.get('/businesses?limit=1')).body).toMatchObject({ page: { total: { value: kept + 1 } } })
})
