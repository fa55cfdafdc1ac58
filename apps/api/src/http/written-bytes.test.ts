import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../../test/build-app.ts'
import { createProspect, type Problem } from '../../test/prospects.ts'
import { createTestClock } from '../../test/test-clock.ts'
import type { Limits } from '../rooms/limits/limits.schema.ts'
import { createWrittenBytes, WRITTEN_BYTES_AT_ONCE, WRITTEN_BYTES_PER_MINUTE } from './written-bytes.ts'

const MINUTE_MS = 60_000

describe('the bucket of a tenant', () => {
  const bucket = (over = {}) => {
    const clock = createTestClock()
    return { clock, written: createWrittenBytes(clock, { perMinute: 600, atOnce: 1_000, ...over }) }
  }

  test('gives bytes until it is empty, then says how long it takes to fill, and fills with time', () => {
    const { clock, written } = bucket()
    expect(written.take('a', 700)).toBe(0)
    expect(written.take('a', 400)).toBe(10_000)
    expect(written.usedOf('a')).toBe(700)
    clock.advance(9_999)
    expect(written.take('a', 400)).toBe(1)
    clock.advance(1)
    expect(written.take('a', 400)).toBe(0)
    expect(written.usedOf('a')).toBe(1_000)
    clock.advance(10 * MINUTE_MS)
    expect(written.usedOf('a')).toBe(0)
  })

  test('gives more bytes than it holds when it is full, and is empty afterwards', () => {
    const { clock, written } = bucket()
    expect(written.take('a', 9_000_000_000_000_000)).toBe(0)
    expect(written.usedOf('a')).toBe(1_000)
    clock.advance(100)
    expect(written.take('a', 1)).toBe(0)
  })

  test('is not that of another tenant, and takes back the bytes of a refused body', () => {
    const { written } = bucket()
    expect(written.take('a', 1_000)).toBe(0)
    expect(written.take('b', 1_000)).toBe(0)
    written.giveBack('a', 400)
    expect([written.usedOf('a'), written.usedOf('b')]).toEqual([600, 1_000])
    written.giveBack('a', 4_000)
    expect(written.usedOf('a')).toBe(0)
  })

  test('is not filled by a clock that was set back', () => {
    const { clock, written } = bucket()
    written.take('a', 1_000)
    clock.advance(-60 * MINUTE_MS)
    expect(written.take('a', 1)).toBeGreaterThan(0)
  })

  test('is dropped when it is full, and beyond the bound when it was used least recently', () => {
    const { written } = bucket({ maxTenants: 2 })
    for (const tenant of ['a', 'b', 'a', 'c']) written.take(tenant, 100)
    expect(['a', 'b', 'c'].map((tenant) => written.usedOf(tenant))).toEqual([200, 0, 100])
  })

  test('of the service refuses 4 MB/s for minutes, and never refuses 500 kB/s or two CSV files of 100 MB in a row', () => {
    const refusedAfter = (bytesPerSecond: number) => {
      const clock = createTestClock()
      const written = createWrittenBytes(clock, { perMinute: WRITTEN_BYTES_PER_MINUTE, atOnce: WRITTEN_BYTES_AT_ONCE })
      for (let second = 0; second < 3_600; second++, clock.advance(1_000))
        if (written.take('a', bytesPerSecond) > 0) return second
      return null
    }
    expect(refusedAfter(4_000_000)).toBeLessThan(120)
    expect(refusedAfter(500_000)).toBeNull()
    const written = createWrittenBytes(createTestClock(), {
      perMinute: WRITTEN_BYTES_PER_MINUTE,
      atOnce: WRITTEN_BYTES_AT_ONCE,
    })
    expect([written.take('a', 100_000_000), written.take('a', 100_000_000)]).toEqual([0, 0])
  })
})

const RATE = { perMinute: 6_000, atOnce: 10_000 }
const note = (characters: number) => ({ text: 'n'.repeat(characters) })

async function world() {
  const t = await buildTestApp({ written: RATE })
  const operator = await t.as('operator')
  const { id } = await createProspect(operator, { name: 'Baobab Bakery' })
  t.clock.advance(10 * MINUTE_MS)
  return { t, operator, notes: `/businesses/${id}/notes` }
}

/** Listens and returns the port, with the head of an upload of CSV, to which a test adds how its body is framed. */
async function listening(t: TestApp): Promise<{ port: number; head: string }> {
  await t.app.listen({ host: '127.0.0.1', port: 0 })
  const address = t.app.server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const member = { tenantId: t.tenants.home.id, userId: t.tenants.home.users.operator.id, role: 'operator' as const }
  const token = await t.startSession(member)
  const { csrfToken } = (await t.withSession(token).get<{ csrfToken: string }>('/session')).body
  const head = [
    'POST /api/v1/csv-previews HTTP/1.1',
    'host: localhost',
    `cookie: prospect_session=${token}`,
    `x-csrf-token: ${csrfToken}`,
    'content-type: text/csv',
  ].join('\r\n')
  return { port, head }
}

/** Sends a text to the port, and returns what it answers until the connection closes. */
function exchange(port: number, text: string, leaves: boolean): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text)
      if (leaves) setTimeout(() => socket.destroy(), 50)
    })
    socket.on('data', (data) => (answer += String(data)))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer))
  })
}

const usedBy = async (t: TestApp, tenant: 'home' | 'other' = 'home') =>
  (await (await t.as('viewer', tenant)).get<Limits>('/limits')).body.items.find(({ name }) => name === 'written_bytes')

test('a body beyond the rate of its tenant is refused with the time to wait, and nothing is written', async () => {
  const { t, operator, notes } = await world()
  expect((await operator.post(notes, note(4_500))).status).toBe(201)
  expect((await operator.post(notes, note(4_500))).status).toBe(201)
  const refused: Problem[] = []
  let retryAfter: unknown
  const changes = await t.changes(async () => {
    const { status, body, headers } = await operator.post<Problem>(notes, note(4_500))
    expect(status).toBe(429)
    refused.push(body)
    retryAfter = headers['retry-after']
  })
  expect(changes).toEqual({})
  expect(refused).toMatchObject([{ code: 'too_many_bytes', limit: 'written_bytes', size: 9_022, max: 10_000 }])
  expect(refused[0]?.detail).toContain('This workspace has 9,022 bytes sent in the last minutes; the limit is 10,000.')
  expect(await usedBy(t)).toMatchObject({ used: 9_022, max: 10_000, unit: 'bytes' })
  expect(await usedBy(t, 'other')).toMatchObject({ used: 0, max: 10_000 })
  expect((await operator.get(notes)).status).toBe(200)
  expect((await operator.post(notes, note(100))).status).toBe(201)
  t.clock.advance(Number(retryAfter) * 1_000 + 2_000)
  expect((await operator.post(notes, note(4_500))).status).toBe(201)
})

test('all members of a workspace share its rate, and another workspace has its own', async () => {
  const { t, operator, notes } = await world()
  await operator.post(notes, note(4_900))
  await operator.post(notes, note(4_900))
  const manager = await t.as('manager')
  expect((await manager.post<Problem>(notes, note(1_000))).body.code).toBe('too_many_bytes')
  const stranger = await t.as('operator', 'other')
  expect((await createProspect(stranger, { name: 'x'.repeat(200) })).id).toBeDefined()
})

test('the bytes of a body without a length are counted as they arrive', async () => {
  const { t, operator } = await world()
  const csv = (lines: number) => Readable.from(Array.from({ length: lines }, () => `${'a'.repeat(499)}\n`))
  const send = (lines: number) =>
    operator.post<Problem>('/csv-previews', csv(lines), { 'content-type': 'text/csv', 'transfer-encoding': 'chunked' })
  expect(await send(10)).toMatchObject({ status: 201 })
  expect(await usedBy(t)).toMatchObject({ used: 5_000 })
  expect(await send(20)).toMatchObject({ status: 429, body: { code: 'too_many_bytes', limit: 'written_bytes' } })
})

test('a chunked body that is refused, or whose sender leaves, does not disturb the service', async () => {
  const { t, operator } = await world()
  const { port, head: start } = await listening(t)
  const head = `${start}\r\ntransfer-encoding: chunked`
  const chunk = `1f4\r\n${'a'.repeat(499)}\n\r\n`
  await exchange(port, `${head}\r\n\r\n${chunk}`, true)
  const answer = await exchange(port, `${head}\r\n\r\n${chunk.repeat(30)}`, false)
  expect(answer).toMatch(/^HTTP\/1.1 429 /)
  expect(answer).toContain('too_many_bytes')
  expect((await operator.get('/session')).status).toBe(200)
})

test('a body that is refused unread gives back the bytes that never arrived', async () => {
  const { t, operator } = await world()
  const { port, head } = await listening(t)
  const json = head.replace('csv-previews', 'businesses').replace('text/csv', 'application/json')
  const answer = await exchange(port, `${json}\r\ncontent-length: 300000\r\n\r\n${'a'.repeat(2_000)}`, false)
  expect(answer).toMatch(/^HTTP\/1.1 413 /)
  await expect.poll(async () => (await usedBy(t))?.used).toBe(2_000)
  expect((await operator.get('/session')).status).toBe(200)
})

test('a body that is refused after it was received counts', async () => {
  const { t } = await world()
  const { port, head } = await listening(t)
  const pasted = head.replace('csv-previews', 'dns-observations/readings').replace('text/csv', 'text/plain')
  const answer = await exchange(
    port,
    `${pasted}\r\ncontent-length: 9000\r\nconnection: close\r\n\r\n${'a'.repeat(9_000)}`,
    false,
  )
  expect(answer).toMatch(/^HTTP\/1.1 415 /)
  expect((await usedBy(t))?.used).toBe(9_000)
})

test('a sender who declares a large body and leaves takes only the bytes that arrived', async () => {
  const { t, operator } = await world()
  const { port, head } = await listening(t)
  await exchange(port, `${head}\r\ncontent-length: 9000\r\n\r\n${'a'.repeat(499)}\n`, true)
  await expect.poll(async () => (await usedBy(t))?.used).toBeLessThan(1_500)
  expect((await operator.post('/csv-previews', `${'a'.repeat(8_000)}\n`, { 'content-type': 'text/csv' })).status).toBe(
    201,
  )
})
