import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../../../../script/lib/free-port.ts'
import { type ApiProcess, type ApiSession, signIn, startApi } from '../../../../test/api-process.ts'
import { UPLOADS_FOLDER } from '../../../store/files/store-files.ts'

/* Tests failing uploads with the real API over real connections, because an injected request cannot fail in these ways. */

const MEGABYTE = Buffer.alloc(1_000_000, 'Kagiso Precision,+27821234567\n')

let dataDir: string
let port: number
let api: ApiProcess
let session: ApiSession

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'csv-broken-'))
  port = await freePort()
  api = startApi({ dataDir, port })
  await api.ready()
  session = await signIn(port)
  return async () => {
    await api.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  }
})

function files(): string[] {
  return readdirSync(join(dataDir, UPLOADS_FOLDER), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
}

/** Starts a chunked upload, which announces no length. */
function beginUpload(): ClientRequest {
  const upload = request({
    port,
    method: 'POST',
    path: '/api/v1/csv-previews',
    headers: { ...session.headers, 'content-type': 'text/csv' },
  })
  // Ignores the error of a connection that the test closes.
  upload.on('error', () => {})
  onTestFinished(() => void upload.destroy())
  return upload
}

/** Sends pieces until a response arrives or all are sent. Returns the response and the number of bytes that were sent before it. */
async function sendUntilAnswered(piece: Buffer, pieces: number) {
  const upload = beginUpload()
  let answer: IncomingMessage | undefined
  const answered = once(upload, 'response').then(([response]: IncomingMessage[]) => {
    answer = response
  })
  let sent = 0
  for (let n = 0; n < pieces && answer === undefined; n++) {
    const isRoom = upload.write(piece)
    sent += piece.length
    if (!isRoom) await Promise.race([once(upload, 'drain'), answered])
  }
  if (answer === undefined) upload.end()
  await answered
  if (answer === undefined) throw new Error('There was no answer.')
  return { status: answer.statusCode, body: JSON.parse(await text(answer)), sent }
}

const peakMb = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${api.pid}/status`, 'utf8'))?.[1]) / 1_000

describe('a failing upload', () => {
  test('is refused above the limit without a declared length, and leaves nothing', async () => {
    const { status, body, sent } = await sendUntilAnswered(MEGABYTE, 300)
    expect([status, body.code]).toEqual([413, 'too_large'])
    expect(sent).toBeLessThan(150_000_000)
    await expect.poll(files).toEqual([])
  })

  test('is refused early if it is one line of a gigabyte, in bounded memory', async () => {
    const before = peakMb()
    const { status, body, sent } = await sendUntilAnswered(Buffer.alloc(1_000_000, 'x'), 1_000)
    expect([status, body]).toMatchObject([
      400,
      { code: 'invalid_request', detail: expect.stringMatching(/^Line 1: This row is longer/) },
    ])
    expect(sent).toBeLessThan(50_000_000)
    expect(peakMb() - before).toBeLessThan(64)
    await expect.poll(files).toEqual([])
  })

  test('is refused before it is sent if its declared length is too large', async () => {
    const upload = request({
      port,
      method: 'POST',
      path: '/api/v1/csv-previews',
      headers: { ...session.headers, 'content-type': 'text/csv', 'content-length': 500_000_000 },
    })
    upload.on('error', () => {})
    upload.flushHeaders()
    const [answer]: IncomingMessage[] = await once(upload, 'response')
    expect(answer?.statusCode).toBe(413)
    upload.destroy()
    expect(files()).toEqual([])
  })

  test('leaves nothing when the connection is cut', async () => {
    const upload = beginUpload()
    upload.write(MEGABYTE)
    await expect.poll(files).toEqual(['upload.csv'])
    upload.destroy()
    await expect.poll(files).toEqual([])
    expect((await session.get('/session')).status).toBe(200)
  })

  test('leaves nothing after the next start when the process is killed during the upload', async () => {
    const upload = beginUpload()
    upload.write(MEGABYTE)
    await expect.poll(files).toEqual(['upload.csv'])
    await api.kill('SIGKILL')
    expect(files()).toEqual(['upload.csv'])
    api = startApi({ dataDir, port })
    await api.ready()
    expect(files()).toEqual([])
    expect((await session.get('/session')).status).toBe(200)
  })
})
