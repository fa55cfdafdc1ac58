import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { receiveUpload } from '../receive-upload.ts'

function temporaryPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'receive-upload-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'upload.csv')
}

test('an upload is stored byte for byte; the memory of a stored chunk is freed, unless it is shared', async () => {
  const path = temporaryPath()
  const own = Array.from({ length: 40 }, (_, at) => Buffer.alloc(65_536, `${at},row of its own\n`))
  const shared = Buffer.from('a,b\n1,2\n')
  const sent = Buffer.concat([...own, shared])
  const upload = await receiveUpload(Readable.from([...own, shared]), path, sent.length)
  expect(upload).toEqual({ bytes: sent.length, sha256: createHash('sha256').update(sent).digest('hex') })
  expect(readFileSync(path).equals(sent)).toBe(true)
  expect(own.every((chunk) => chunk.buffer.byteLength === 0)).toBe(true)
  expect(shared.toString()).toBe('a,b\n1,2\n')
})

test('a first line longer than a row is refused before its end; any line end is accepted', async () => {
  const long = (...first: string[]) => [...first, ...Array.from({ length: 80 }, () => 'x'.repeat(65_536))]
  const receive = (texts: readonly string[]) =>
    receiveUpload(Readable.from(texts.map((text) => Buffer.from(text))), temporaryPath(), 10_000_000)
  await expect(receive(long())).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(/^Line 1: .*This is not a CSV file\.$/),
  })
  for (const head of ['name\n', 'name\r'])
    expect(await receive(long(head))).toMatchObject({ bytes: 80 * 65_536 + head.length })
  expect(await receive(['no line end'])).toMatchObject({ bytes: 11 })
})

test('a disconnected client gets its own error; other failures are passed on', async () => {
  const receive = (error: Error) =>
    receiveUpload(
      Readable.from(
        (async function* () {
          yield Buffer.from('name\n')
          throw error
        })(),
      ),
      temporaryPath(),
      100,
    )
  const gone = Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
  await expect(receive(gone)).rejects.toMatchObject({ code: 'invalid_request', details: { cause: gone } })
  for (const other of [Object.assign(new Error('full'), { code: 'ENOSPC' }), new Error('broken')])
    await expect(receive(other)).rejects.toBe(other)
})

test('an idle upload is refused, and its connection stays open for the response', async () => {
  const body = new Readable({ read: () => {} })
  body.push('a,b\n')
  await expect(receiveUpload(body, temporaryPath(), 100, 5)).rejects.toMatchObject({ code: 'request_timeout' })
  expect(body.destroyed).toBe(false)
})

test('a slow upload is received as long as data keeps arriving', async () => {
  async function* slowly() {
    for (let at = 0; at < 6; at += 1) {
      await delay(10)
      yield Buffer.from('a,b\n')
    }
  }
  const upload = await receiveUpload(Readable.from(slowly()), temporaryPath(), 100, 40)
  expect(upload.bytes).toBe(24)
})
