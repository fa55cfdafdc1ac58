import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../../script/lib/free-port.ts'
import { newId } from '../../src/lib/ids.ts'
import { type ApiProcess, signIn, startApi } from '../api-process.ts'
import { extractionSteps } from '../extraction-steps.ts'
import { temporaryFolder } from '../temporary-store.ts'
import { after, reading } from './scored-store.ts'

const LOOK_EVERY_MS = 2
const key = () => ({ 'idempotency-key': newId() })
const contacts = '<h1>Contact us</h1><p>desk@karoo.co.za</p><p>021 555 0105</p>'
/** Page that takes some hundred milliseconds to read, so that the process can be killed during that time. */
const page = `${contacts}<p>${'We build fences of steel for farms in the Karoo. '.repeat(20_000)}</p>`

/** Starts an API that can be killed and restarted, and creates a prospect with an approved site and enabled extraction. */
async function crashWorld() {
  const dataDir = temporaryFolder()
  const port = await freePort()
  let api: ApiProcess = startApi({ dataDir, port })
  onTestFinished(async () => {
    await api.kill('SIGKILL')
  })
  const restart = async () => {
    await api.kill('SIGKILL')
    api = startApi({ dataDir, port })
    await api.ready()
  }
  const count = (sql: string): number =>
    reading(dataDir, (connection) => connection.prepare<[], number>(sql).pluck().get() ?? 0)
  await api.ready()
  const session = await signIn(port)
  return { session, count, restart, ...(await extractionSteps(port, session)) }
}

test('kill -9 during an extraction leaves nothing of it, and it ends once as unknown', {
  timeout: 60_000,
}, async () => {
  const { session, count, restart, request, extract, ended, candidates } = await crashWorld()
  const { id } = await request(page)
  while (count(`SELECT count(*) FROM extraction_results WHERE state = 'running'`) === 0) await after(LOOK_EVERY_MS)
  await restart()
  expect(await ended(id)).toMatchObject({ state: 'unknown', reasons: ['content_gone'], counts: { open: 0 } })
  expect(count('SELECT count(*) FROM contact_candidates')).toBe(0)
  expect(count('SELECT count(*) FROM contact_sightings')).toBe(0)
  expect(count(`SELECT count(*) FROM audit_events WHERE action = 'extraction.end'`)).toBe(1)
  expect(await extract(contacts)).toMatchObject({ state: 'complete', counts: { open: 2 } })
  expect(await candidates()).toHaveLength(2)
  expect((await session.get('/audit-events/verification')).body).toMatchObject({ status: 'intact', firstBroken: null })
})

test('kill -9 during a decision leaves all of it or nothing, and its repetition decides once', {
  timeout: 60_000,
}, async () => {
  const { session, count, restart, extract, candidates } = await crashWorld()
  await extract('<h1>Contact us</h1><p>a@karoo.co.za</p><p>b@karoo.co.za</p>')
  const open = await candidates()
  expect(open).toHaveLength(2)
  for (const [round, candidate] of open.entries()) {
    const path = `/contact-candidates/${candidate.id}/decision`
    const body = { decision: 'accept', fingerprint: candidate.fingerprint, addToRecord: true }
    const headers = key()
    const answering = session.post(path, body, headers).catch(() => undefined)
    await after(round * 6)
    await restart()
    const answer = await answering
    const before = count(`SELECT count(*) FROM contact_decisions`)
    if (answer?.status === 200) expect(before).toBe(round + 1)
    const parts = [
      `SELECT count(*) FROM contact_candidate_states WHERE state = 'accepted'`,
      `SELECT count(*) FROM evidence`,
      `SELECT count(*) FROM business_identifiers WHERE kind = 'email'`,
      `SELECT count(*) FROM audit_events WHERE action = 'contact_candidate.accept'`,
    ]
    expect(parts.map(count)).toEqual(parts.map(() => before))
    expect((await session.post(path, body, headers)).status).toBe(200)
    expect(parts.map(count)).toEqual(parts.map(() => round + 1))
  }
  expect((await session.get('/audit-events/verification')).body).toMatchObject({ status: 'intact', firstBroken: null })
})
