import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { receiveUpload } from './receive-upload.ts'

function temporaryPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'receive-upload-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'upload.csv')
}

test('what is sent lies in the file byte for byte; the memory of a chunk is given back when it is there, but not what it shares', async () => {
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

test('an upload that sends nothing any more is given up, and its connection left to bring the answer', async () => {
  const body = new Readable({ read: () => {} })
  body.push('a,b\n')
  await expect(receiveUpload(body, temporaryPath(), 100, 5)).rejects.toMatchObject({ code: 'request_timeout' })
  expect(body.destroyed).toBe(false)
})

test('an upload that takes its time is received, as long as something comes now and then', async () => {
  async function* slowly() {
    for (let at = 0; at < 6; at += 1) {
      await delay(10)
      yield Buffer.from('a,b\n')
    }
  }
  const upload = await receiveUpload(Readable.from(slowly()), temporaryPath(), 100, 40)
  expect(upload.bytes).toBe(24)
})
