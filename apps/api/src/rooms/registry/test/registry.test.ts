import { createPublicKey } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Answer, TestClient } from '../../../../test/build-app.ts'
import { jobWorld } from '../../../../test/job-world.ts'
import { createProspect, type Problem } from '../../../../test/prospects.ts'
import { DAY_MS } from '../../../lib/clock.ts'
import { sha256 } from '../../../lib/hashing.ts'
import { newId } from '../../../lib/ids.ts'
import { isStatementSignedBy } from '../../audit/audit.ts'
import { CERTIFICATE_PURPOSE } from '../certificate.ts'
import { getRegistryState } from '../cleaning-state.ts'
import { registryConfirmationJob, registryFileJob, registryResultJob } from '../registry.jobs.ts'
import { registryRoundQuota } from '../registry.quota.ts'
import { isRoundDue } from '../registry.rules.ts'
import { type Certificate, limits, type RegistryState, type Round } from '../registry.schema.ts'
import { watchRegistry } from '../watched-state.ts'

async function setUp() {
  const world = await jobWorld([registryFileJob, registryResultJob, registryConfirmationJob])
  const { t, ended, operator } = world
  const manager = await t.as('manager')
  world.work()
  const phones = (...values: string[]) =>
    createProspect(operator, {
      name: `Windpumps ${newId()}`,
      phones: values.map((value) => ({ value, region: 'ZA' })),
    })
  const begin = (body: Record<string, unknown> = {}, client: TestClient = manager) =>
    client.post<Round>(
      '/registry-rounds',
      { kinds: ['phone', 'email'], form: 'plain', ...body },
      { 'idempotency-key': newId() },
    )
  const see = async (id: string) => (await manager.get<Round>(`/registry-rounds/${id}`)).body
  const started = async (body: Record<string, unknown> = {}) => {
    const { body: round } = await begin(body)
    expect((await ended(round.jobId)).error_message).toBeNull()
    return see(round.id)
  }
  const file = (id: string) => manager.get<string>(`/registry-rounds/${id}/file`)
  const send = (id: string, content: string | Buffer): Promise<Answer<Round & Problem>> =>
    manager.post(`/registry-rounds/${id}/results`, content as never, { 'content-type': 'text/csv' })
  const uploaded = async (id: string, content: string | Buffer) => {
    const { status, body } = await send(id, content)
    expect([status, body.detail]).toEqual([202, undefined])
    expect((await ended(body.result?.jobId ?? '')).error_message).toBeNull()
    return see(id)
  }
  const confirm = (id: string, resultSha256: string, phoneRegion?: string) =>
    manager.post<Round & Problem>(`/registry-rounds/${id}/confirmation`, {
      resultSha256,
      ...(phoneRegion === undefined ? {} : { phoneRegion }),
      reason: 'Listed by the registry.',
    })
  const confirmed = async (id: string, resultSha256: string) => {
    const { body } = await confirm(id, resultSha256)
    expect((await ended(body.confirmation?.jobId ?? '')).error_message).toBeNull()
    return see(id)
  }
  const state = async () => (await operator.get<RegistryState>('/registry-state')).body
  const folder = () => readdirSync(join(t.store.dataDir, 'registry'))
  return { ...world, manager, phones, begin, started, see, file, send, uploaded, confirm, confirmed, state, folder }
}

test('a round writes values without names, blocks what the registry lists after the confirmation, and closes with a certificate', async () => {
  const { t, manager, operator, phones, started, file, uploaded, confirmed, state, folder } = await setUp()
  await phones('082 123 4567', '083 123 4567')
  await phones('082 123 4567')
  await createProspect(operator, { name: 'Karoo', emails: [{ value: 'Desk@Karoo.co.za' }] })
  await phones('084 123 4567')
  await operator.post('/suppressions', {
    kind: 'phone',
    value: '+27841234567',
    reason: 'They asked.',
    channel: 'phone',
  })
  expect(await state()).toMatchObject({ cleanedAt: null, dueAt: null, isDue: true, unchecked: 4 })

  const round = await started()
  expect(round).toMatchObject({ state: 'awaiting_result', counts: { values: 3, leftOut: 1 } })
  const { body: content } = await file(round.id)
  expect(sha256(content)).toBe(round.fileSha256)
  const lines = content.trimEnd().split('\r\n')
  expect(lines).toEqual([
    '"round","kind","value"',
    ...['+27821234567', '+27831234567'].map((value) => `"${round.id}","phone","${value}"`),
    `"${round.id}","email","desk@karoo.co.za"`,
  ])

  const result = `round,value\n${round.id},0821234567\n,27 82 123 4567\n,desk@karoo.co.za\n,+27841234567\n,+27711111111\n,nothing\n`
  const read = await uploaded(round.id, result)
  expect(read.result).toMatchObject({
    status: 'ready',
    sha256: sha256(result),
    counts: { lines: 6, hits: 2, alreadyBlocked: 1, unknown: 1, clear: 0 },
  })
  const closed = await confirmed(round.id, sha256(result))
  expect(closed).toMatchObject({ state: 'closed', outcome: { added: 2, alreadyBlocked: 0, marked: 3 } })
  expect(folder()).toEqual([])
  const { body: found } = await operator.get<{ items: { channel: string; reference: string; original: string }[] }>(
    '/suppressions?q=%2B27821234567',
  )
  expect(found.items).toMatchObject([{ channel: 'registry', reference: round.id }])

  await phones('082 999 9999')
  const after = await state()
  expect(after).toMatchObject({ cleanedAt: closed.closedAt, isDue: false, unchecked: 1, openRound: null })
  expect(Date.parse(after.dueAt ?? '') - Date.parse(after.cleanedAt ?? '')).toBe(30 * DAY_MS)

  const { body: certificate } = await manager.get<Certificate>(`/registry-rounds/${round.id}/certificate`)
  expect(certificate.statement).toMatchObject({
    file: { values: 3, leftOut: 1, sha256: round.fileSha256 },
    result: { sha256: sha256(result) },
    outcome: { added: 2 },
    registration: null,
  })
  const key = createPublicKey(certificate.publicKey)
  expect(key.equals(createPublicKey(t.store.keys.auditSigning))).toBe(true)
  expect(isStatementSignedBy(key, CERTIFICATE_PURPOSE, certificate)).toBe(true)
  const forged = { ...certificate, statement: { ...certificate.statement, outcome: { added: 3 } } }
  expect(isStatementSignedBy(key, CERTIFICATE_PURPOSE, forged)).toBe(false)
  expect(isStatementSignedBy(key, 'another purpose', certificate)).toBe(false)
})

test('a round of hashes contains no number, and its result is compared by the salt of the round', async () => {
  const { phones, started, file, uploaded } = await setUp()
  await phones('082 123 4567')
  await phones('083 123 4567')
  const round = await started({ kinds: ['phone'], form: 'sha256', columns: ['value'] })
  const salt = round.file?.manifest.salt ?? ''
  expect(salt).toMatch(/^[0-9a-f]{32}$/)
  const { body: content } = await file(round.id)
  const hashed = ['+27821234567', '+27831234567'].map((value) => sha256(salt + value))
  expect(content).toBe(['value', ...hashed].map((cell) => `"${cell}"\r\n`).join(''))
  // Without a line of column names, and in UTF-16 as some spreadsheets write it.
  const utf16 = Buffer.from(`\uFEFF${hashed[1]?.toUpperCase()}\r\n${sha256('another')}\r\n`, 'utf16le')
  const read = await uploaded(round.id, utf16)
  expect(read.result?.counts).toMatchObject({ lines: 2, hits: 1, unknown: 1, unreadable: 0 })
})

test('a workspace has one open round, and a cancelled one makes room for another', async () => {
  const { manager, begin, started, see, folder } = await setUp()
  const round = await started()
  const refused = await begin()
  expect([refused.status, refused.body]).toMatchObject([409, { code: 'registry_round_open' }])
  await manager.post(`/registry-rounds/${round.id}/cancellation`, { reason: 'Another form.' })
  expect(await see(round.id)).toMatchObject({ state: 'cancelled', cancelledBecause: 'Another form.' })
  expect(folder()).toEqual([])
  expect((await begin()).status).toBe(202)
})

test('a file that is no result of the round is refused with a sentence, and blocks nothing', async () => {
  const { manager, phones, started, uploaded, send, confirm, confirmed } = await setUp()
  await phones('082 123 4567')
  const first = await started()
  const round = first.id
  const refusal = async (content: string | Buffer) => (await uploaded(round, content)).result?.refusal
  expect(await refusal('value\n+27711111111\n')).toContain('No line of this file')
  expect(await refusal(`round,value\n${newId()},+27821234567\n`)).toContain('of another round')
  expect(await refusal('value\n+27821234567\n+2783')).toContain('not complete')
  expect(await refusal('a,b\nx,y\nx,z\n')).toContain('“value”')
  expect(await refusal(Buffer.from('value\n+27821234567\n\0\0\0\n'))).toContain('NUL')
  expect(await refusal('')).toContain('empty')
  const unread = await confirm(round, sha256(''))
  expect([unread.status, unread.body.code]).toEqual([409, 'registry_round_state'])
  const result = 'value,do not contact\n+27821234567,no\n+27 82 123 4567,yes\n'
  await uploaded(round, result)
  const other = await confirm(round, sha256('another result'))
  expect([other.status, other.body.code]).toEqual([409, 'registry_result_changed'])
  const abroad = await confirm(round, sha256(result), 'GB')
  expect([abroad.status, abroad.body.code]).toEqual([409, 'registry_result_changed'])
  expect(await confirmed(round, sha256(result))).toMatchObject({ state: 'closed', outcome: { added: 1 } })
  expect((await send(round, result)).body.code).toBe('registry_round_state')
  const next = await started()
  const used = await send(next.id, result)
  expect([used.status, used.body.detail]).toMatchObject([409, expect.stringContaining('is the result of the round')])
  expect((await manager.get<Problem>(`/registry-rounds/${next.id}/certificate`)).body.code).toBe('registry_round_state')
})

test('a result in Windows-1252 with other columns is read, and its values in local form are found', async () => {
  const { phones, started, uploaded } = await setUp()
  await phones('082 123 4567')
  const round = await started({ kinds: ['phone'] })
  const windows1252 = Buffer.from(
    'Naam;Telefoon\r\nKêrel se Plase;082 123 4567\r\nBoland;+27 71 111 1111\r\n',
    'latin1',
  )
  const { result } = await uploaded(round.id, windows1252)
  expect([result?.refusal, result?.counts]).toMatchObject([null, { lines: 2, hits: 1, unknown: 1, unreadable: 0 }])
})

test('a result with more lines than the limit is refused, and many unknown values are only counted', async () => {
  const { phones, started, uploaded, confirmed } = await setUp()
  await phones('082 123 4567')
  const round = await started({ kinds: ['phone'], form: 'sha256', columns: ['value'] })
  const unknown = (count: number) => Array.from({ length: count }, (_, n) => n.toString(16).padStart(64, '0'))
  const many = await uploaded(round.id, 'x\n'.repeat(limits.resultLines + 2))
  expect(many.result).toMatchObject({ status: 'refused', refusal: expect.stringContaining('more than 500') })
  const listed = sha256(`${round.file?.manifest.salt}+27821234567`)
  const result = [...unknown(5_000), listed, ''].join('\n')
  const { result: read } = await uploaded(round.id, result)
  expect(read?.counts).toMatchObject({ lines: 5_001, hits: 1, unknown: 5_000 })
  expect(await confirmed(round.id, sha256(result))).toMatchObject({ state: 'closed', outcome: { added: 1 } })
})

test('a workspace without a registration closes rounds, and its state and certificate say that there is none', async () => {
  const { manager, phones, started, uploaded, confirmed, state } = await setUp()
  await phones('082 123 4567')
  const round = await started()
  const result = 'value\n+27821234567\n'
  await uploaded(round.id, result)
  await confirmed(round.id, sha256(result))
  expect((await state()).registration).toEqual({ status: 'missing', validUntil: null })
  const { body } = await manager.get<Certificate>(`/registry-rounds/${round.id}/certificate`)
  expect(body.statement.registration).toBeNull()
})

test('a file is not downloaded after a value in it was blocked', async () => {
  const { manager, operator, phones, started, file } = await setUp()
  await phones('082 123 4567')
  const round = await started()
  expect((await file(round.id)).status).toBe(200)
  await operator.post('/suppressions', {
    kind: 'phone',
    value: '+27821234567',
    reason: 'They asked.',
    channel: 'phone',
  })
  const refused = await manager.get<Problem>(`/registry-rounds/${round.id}/file`)
  expect([refused.status, refused.body.code]).toEqual([409, 'registry_file_outdated'])
})

test('a round is due after 30 days, and while the clock is before it', async () => {
  const { t, phones, started, uploaded, confirmed, state } = await setUp()
  await phones('082 123 4567')
  const round = await started()
  const result = 'value\n+27821234567\n'
  await uploaded(round.id, result)
  await confirmed(round.id, sha256(result))
  expect((await state()).isDue).toBe(false)
  // The session ends meanwhile, so the state is read without a request.
  const isDue = async () => (await getRegistryState(t.store, t.tenants.home.id)).isDue
  const watched = async () => {
    const { rounds } = await watchRegistry(t.store.reader, t.clock().toISOString())
    return rounds.map((one) => one.isDue)
  }
  expect(await watched()).toEqual([false])
  t.clock.advance(30 * DAY_MS)
  expect(await isDue()).toBe(true)
  expect(await watched()).toEqual([true])
  t.clock.advance(-1)
  expect(await isDue()).toBe(false)
  t.clock.advance(-31 * DAY_MS)
  expect(await isDue()).toBe(true)
})

test('a result that is too large, and a round beyond the quota of the day, are refused', async () => {
  const { manager, begin, started, send } = await setUp()
  const round = await started()
  const large = await send(round.id, Buffer.alloc(limits.resultBytes + 1, 'a'))
  expect([large.status, large.body]).toMatchObject([413, { limit: 'registry_result' }])
  await manager.post(`/registry-rounds/${round.id}/cancellation`, { reason: 'No more.' })
  for (let n = 1; n < registryRoundQuota.max; n++) {
    const { body } = await begin()
    await manager.post(`/registry-rounds/${body.id}/cancellation`, { reason: 'No more.' })
  }
  const refused = await begin()
  expect([refused.status, refused.body]).toMatchObject([429, { limit: 'registry_rounds_of_day' }])
})

test('a prospect is checked if its values were read for the last closed round', async () => {
  const { manager, operator, phones, started, uploaded, confirmed } = await setUp()
  const before = await phones('082 123 4567')
  const changed = await phones('083 123 4567')
  const inactive = await phones('086 123 4567')
  const deactivated = await manager.post(
    `/businesses/${inactive.id}/deactivation`,
    { reason: 'Closed for the season.' },
    { 'if-match': '"1"' },
  )
  expect(deactivated.status).toBe(200)
  const round = await started()
  await uploaded(round.id, 'value\n+27821234567\n')
  await confirmed(round.id, sha256('value\n+27821234567\n'))
  const added = await phones('084 123 4567')
  const activated = await manager.post(
    `/businesses/${inactive.id}/reactivation`,
    { reason: 'Open again.' },
    { 'if-match': '"2"' },
  )
  expect(activated.status).toBe(200)
  await operator.patch(
    `/businesses/${changed.id}`,
    { phones: [{ value: '085 123 4567', region: 'ZA' }] },
    { 'if-match': '"1"' },
  )
  const check = async (id: string) =>
    (await operator.get<{ status: string; kinds: unknown }>(`/businesses/${id}/registry-check`)).body
  expect((await check(before.id)).status).toBe('checked')
  expect((await check(added.id)).status).toBe('not_checked')
  // The file of the round had no value of an inactive record.
  expect((await check(inactive.id)).status).toBe('not_checked')
  expect((await check(changed.id)).kinds).toEqual([
    { kind: 'phone', isChecked: false },
    { kind: 'email', isChecked: true },
  ])
})

test('a round that waited long for its result is as old as its values', () => {
  const [readAt, cleanedAt] = ['2026-11-01T08:00:00.000Z', '2026-11-30T08:00:00.000Z']
  expect(isRoundDue({ readAt, cleanedAt }, '2026-11-30T09:00:00.000Z')).toBe(false)
  expect(isRoundDue({ readAt, cleanedAt }, '2026-12-01T08:00:00.000Z')).toBe(true)
})

test('a registration is stored with its end, and ends soon from 30 days before', async () => {
  const { t, manager } = await setUp()
  const path = '/registry-registration'
  const get = async () => (await manager.get<{ status: string; version: number }>(path)).body
  expect(await get()).toMatchObject({ status: 'missing', version: 0 })
  const day = (days: number) => new Date(t.clock().getTime() + days * DAY_MS).toISOString().slice(0, 10)
  const set = (days: number, version: number) =>
    manager.put(path, { number: 'DM 1', validUntil: day(days) }, { 'if-match': `"${version}"` })
  for (const [version, [days, status]] of [
    [60, 'valid'],
    [20, 'ends_soon'],
    [0, 'ends_soon'],
    [-1, 'ended'],
  ].entries() as ArrayIterator<[number, [number, string]]>) {
    expect((await set(days, version)).status).toBe(200)
    expect((await get()).status).toBe(status)
  }
  const { registrations } = await watchRegistry(t.store.reader, t.clock().toISOString())
  expect(registrations).toMatchObject([{ tenantId: t.tenants.home.id, status: 'ended', validUntil: day(-1) }])
  expect((await manager.put<Problem>(path, { number: 'DM 1', validUntil: null }, { 'if-match': '"4"' })).status).toBe(
    400,
  )
})
