import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backupPlace } from '../../../test/backups.ts'
import { buildTestApp } from '../../../test/build-app.ts'
import { createProspect, type ListPage } from '../../../test/prospects.ts'
import { temporaryFolder } from '../../../test/temporary-store.ts'
import { change } from '../../store/change.ts'
import type { Business } from '../businesses/businesses.ts'
import { memberActor } from '../identity/identity.ts'
import { restore } from '../operations/backup/restore.ts'

/*
 * A restore brings a store of an earlier moment back (decision 26). What was suppressed by then holds through it; what came later is not there,
 * and whoever restores is told of it first, however much else is lacking.
 */

const suppressed = (value: string) => ({ kind: 'email', value, reason: 'They asked.', channel: 'letter' })
const withEmail = (value: string) => ({ emails: [{ value }] })

test('what was suppressed when the backup was taken holds after a restore; what came later is named first, and holds again once it is done again', async () => {
  const t = await buildTestApp()
  const { dataDir } = t.store
  const administrator = await t.as('administrator')
  const early = await createProspect(administrator, withEmail('early@karoo.co.za'))
  const late = await createProspect(administrator, withEmail('late@karoo.co.za'))
  expect((await administrator.post('/suppressions', suppressed('early@karoo.co.za'))).status).toBe(201)
  const { backup, identities } = await backupPlace(dataDir, t.clock)
  const { folder } = await backup()

  expect((await administrator.post('/suppressions', suppressed('late@karoo.co.za'))).status).toBe(201)
  expect((await administrator.get<Business>(`/businesses/${late.id}`)).body.doNotContact).not.toBeNull()
  // More kinds of other things than anybody reads, each of them oftener.
  const who = { tenantId: t.tenants.home.id, userId: t.tenants.home.users.administrator.id }
  const actor = await memberActor(t.store.reader, who, 'a busy month')
  if (actor === undefined) throw new Error('The administrator is a member.')
  for (let kind = 0; kind < 30; kind++)
    for (let time = 0; time < 2; time++)
      await change(t.store, actor, { permission: null, action: `other.${kind}` }, async (tx) => {
        await tx.record({ subject: { type: 'business', id: early.id } })
      })
  const alsoAgain = ['business.erase', 'mfa.remove', 'mfa.renew_recovery_codes', 'mfa.reset', 'password.change']
  const ofPeople = ['user.change_role', 'user.disable', 'user.remove', 'user.reset_password']
  for (const action of [...alsoAgain, ...ofPeople])
    await change(t.store, actor, { permission: null, action }, async (tx) => {
      await tx.record({ subject: { type: 'business', id: early.id } })
    })
  await t.store.close()

  const { lacking, kept } = await restore({ dataDir, folder, identities, keysLost: false }, t.clock, () => {})
  const again = lacking?.slice(0, 10).map(({ action, events, mustBeDoneAgain }) => [action, events, mustBeDoneAgain])
  expect(again).toEqual([...alsoAgain, 'suppression.add', ...ofPeople].map((action) => [action, 1, true]))
  expect(lacking?.slice(10).filter(({ mustBeDoneAgain }) => mustBeDoneAgain)).toEqual([])
  expect(lacking?.filter(({ action }) => action.startsWith('other.'))).toHaveLength(30)

  // Which they are is seen in the former store, started beside with a copy of the keys.
  const former = temporaryFolder()
  cpSync(kept ?? '', former, { recursive: true })
  cpSync(join(dataDir, 'keys'), join(former, 'keys'), { recursive: true })
  const beside = await buildTestApp({ over: { dataDir: former, tenants: t.tenants, clock: t.clock } })
  const { body: entries } = await (await beside.as('administrator')).get<ListPage<{ original: string }>>(
    '/suppressions',
  )
  expect(entries.items.map(({ original }) => original)).toEqual(['late@karoo.co.za', 'early@karoo.co.za'])

  const restored = await buildTestApp({ over: { dataDir, tenants: t.tenants, clock: t.clock } })
  const manager = await restored.as('administrator')
  const blocked = async (id: string) => (await manager.get<Business>(`/businesses/${id}`)).body.doNotContact !== null
  expect([await blocked(early.id), await blocked(late.id)]).toEqual([true, false])
  const sameAddress = await createProspect(manager, withEmail('EARLY+x@karoo.co.za'))
  expect(await blocked(sameAddress.id)).toBe(true)
  expect((await manager.post('/suppressions', suppressed('late@karoo.co.za'))).status).toBe(201)
  expect(await blocked(late.id)).toBe(true)
})
