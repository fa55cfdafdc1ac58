import { createHmac, createSecretKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { createProspect } from '../../../../test/prospects.ts'
import type { AddedSuppression } from '../../suppression/suppression.schema.ts'
import { keyHasher } from '../keys/key-hash.ts'

test('the hash of a key is its HMAC-SHA256 under the key of its tenant, for any text of any length', () => {
  const secret = randomBytes(32)
  const keys = {
    auditSigning: generateKeyPairSync('ed25519').privateKey,
    tombstones: secret,
    missing: [],
    derive: () => randomBytes(32),
  }
  const hash = keyHasher(keys, 'tenant')
  const tenantKey = createSecretKey(createHmac('sha256', secret).update('tenant').digest())
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ minLength: 330, maxLength: 3_000, unit: 'binary' }))
  fc.assert(
    fc.property(text, (key) => {
      expect(hash(key)).toBe(`x:${createHmac('sha256', tenantKey).update(key).digest('base64url')}`)
    }),
    { numRuns: 2_000 },
  )
})

test('a value removed from a do-not-contact record is suppressed when it returns, also after the server secret was replaced', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const emails = [{ value: 'gone@karoo.example' }]
  const { id } = await createProspect(operator, { emails })
  await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  expect(await operator.patch(`/businesses/${id}`, { emails: [] }, { 'if-match': '"2"' })).toMatchObject({
    status: 200,
  })
  rmSync(join(t.store.dataDir, 'keys/server-secret'))

  const later = await buildTestApp({ over: { dataDir: t.store.dataDir, tenants: t.tenants, clock: t.clock } })
  const again = await createProspect(await later.as('operator'), { name: 'Karoo Traders', emails })
  expect(again.doNotContact).toMatchObject({ through: 'suppression' })
})

test('of a value with two addresses, the one that an edit removes from a do-not-contact record stays suppressed', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const both = [{ value: 'gone@karoo.example / stays@karoo.example' }]
  const { id } = await createProspect(operator, { emails: both })
  await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  const emails = [{ value: 'stays@karoo.example' }]
  expect(await operator.patch(`/businesses/${id}`, { emails }, { 'if-match': '"2"' })).toMatchObject({ status: 200 })

  const again = await createProspect(operator, { name: 'Karoo Traders', emails: [{ value: 'gone@karoo.example' }] })
  expect(again.doNotContact).toMatchObject({ through: 'suppression' })
})

test('of two values that share an address every other address stays suppressed as well', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const emails = [{ value: 'jan@karoo.example' }, { value: 'jan@karoo.example / piet@karoo.example' }]
  const { id } = await createProspect(operator, { emails })
  await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  expect(await operator.patch(`/businesses/${id}`, { emails: [] }, { 'if-match': '"2"' })).toMatchObject({
    status: 200,
  })

  const again = await createProspect(operator, { name: 'Karoo Traders', emails: [{ value: 'piet@karoo.example' }] })
  expect(again.doNotContact).toMatchObject({ through: 'suppression' })
})

test('of a value with two addresses only the one without an entry gets a tombstone: removing the entry frees the other', async () => {
  const t = await buildTestApp()
  const administrator = await t.as('administrator')
  const entry = { kind: 'email', value: 'entered@karoo.co.za', reason: 'They asked.', channel: 'letter' }
  const { body: added } = await administrator.post<AddedSuppression>('/suppressions', entry)
  const emails = [{ value: 'entered@karoo.co.za / kept@karoo.co.za' }]
  const { id, doNotContact } = await createProspect(administrator, { emails })
  expect(doNotContact).toMatchObject({ through: 'suppression' })
  expect(await administrator.patch(`/businesses/${id}`, { emails: [] }, { 'if-match': '"1"' })).toMatchObject({
    status: 200,
  })
  const removal = await administrator.post(`/suppressions/${added.suppression.id}/removal`, { reason: 'A mistake.' })
  expect(removal.status).toBe(200)

  const holding = (value: string) => createProspect(administrator, { emails: [{ value }] })
  expect((await holding('kept@karoo.co.za')).doNotContact).toMatchObject({ through: 'suppression' })
  expect((await holding('entered@karoo.co.za')).doNotContact).toBeNull()
})
