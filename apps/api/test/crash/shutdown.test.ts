import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished, test } from 'vitest'
import { freePort } from '../../../../script/lib/free-port.ts'
import { openConnection } from '../../src/store/engine/connection.ts'
import { STORE_FILE } from '../../src/store/store.ts'
import { signIn, startApi } from '../api-process.ts'

const CONNECTIONS = 6
const ANSWERED_BEFORE = 50
/** Delay of the request's body: less than the 10 seconds that open requests have at a shutdown. */
const ALMOST_TOO_LONG_MS = 8_000

test('on SIGTERM, it completes current work, signs the audit and exits with success', async ({ expect }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'prospect-stop-'))
  const port = await freePort()
  let api = startApi({ dataDir, port })
  onTestFinished(async () => {
    await api.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  })
  await api.ready()
  const session = await signIn(port)

  const answered: string[] = []
  const statuses = new Set<number>()
  let isBusy = () => {}
  const busy = new Promise<void>((resolve) => {
    isBusy = resolve
  })
  const working = Array.from({ length: CONNECTIONS }, async (_, connection) => {
    for (let n = 0; ; n++) {
      const answer = await session.post('/businesses', { name: `Prospect ${connection} ${n}` }).catch(() => undefined)
      if (answer === undefined) return
      statuses.add(answer.status)
      if (answer.status !== 201) return
      answered.push(String(answer.body.id))
      if (answered.length === ANSWERED_BEFORE) isBusy()
    }
  })
  await busy
  expect(await api.kill('SIGTERM')).toBe(0)
  await Promise.all(working)
  expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([])
  const lastLine = readFileSync(join(dataDir, 'audit-checkpoints.jsonl'), 'utf8').trimEnd().split('\n').at(-1) ?? ''
  const atTheStop = newestSequence(dataDir)
  expect(JSON.parse(lastLine)).toMatchObject({ sequence: atTheStop })

  api = startApi({ dataDir, port })
  await api.ready()
  for (const id of answered) expect((await session.get(`/businesses/${id}`)).status).toBe(200)
  const { body } = await session.get('/audit-events/verification')
  expect(body).toMatchObject({ status: 'intact', unproven: null })
  expect(Number(body.provenTo)).toBeGreaterThanOrEqual(atTheStop)
})

test('on SIGTERM, it waits for a slow request, as long as the runbook says', async ({ expect }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'prospect-stop-'))
  const port = await freePort()
  const api = startApi({ dataDir, port })
  onTestFinished(async () => {
    await api.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  })
  await api.ready()
  const body = JSON.stringify({ email: 'nobody@crash.example', password: 'none that is right' })
  const socket = connect(port, '127.0.0.1')
  const head = `POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
  socket.write(`${head}\r\n\r\n${body.slice(0, 10)}`)
  // The response to this request shows that the first request, which was sent before it, is in progress.
  await fetch(`http://127.0.0.1:${port}/api/v1/health/live`)
  const stopped = api.kill('SIGTERM')
  setTimeout(() => socket.write(body.slice(10)), ALMOST_TOO_LONG_MS)
  expect(await text(socket)).toMatch(/^HTTP\/1.1 401 /)
  expect(await stopped).toBe(0)
})

/**
 * Returns the newest audit sequence. Called while no process has the store open, because the next start compares new records and records that in the
 * audit.
 */
function newestSequence(dataDir: string): number {
  const connection = openConnection(join(dataDir, STORE_FILE), { readonly: true })
  try {
    return Number(connection.prepare('SELECT max(sequence) FROM audit_events').pluck().get())
  } finally {
    connection.close()
  }
}
