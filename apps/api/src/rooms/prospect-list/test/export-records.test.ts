import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { createProspect } from '../../../../test/prospects.ts'
import { newId } from '../../../lib/ids.ts'
import { memberActor } from '../../identity/identity.ts'
import type { Condition } from '../conditions/conditions.schema.ts'
import { readExportRecords } from '../list/export-records.ts'

/** One record more than one query reads. */
const RECORDS = 201

test('with more records than one query reads, each is returned once, oldest first, whichever was changed last', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const ids: string[] = []
  for (let one = 0; one < RECORDS; one++) ids.push((await createProspect(operator)).id)
  t.clock.advance(1_000)
  await operator.patch(`/businesses/${ids[0]}`, { name: 'Changed' }, { 'if-match': '"1"' })

  const { id: tenantId, users } = t.tenants.home
  const actor = await memberActor(t.store.reader, { tenantId, userId: users.operator.id }, newId())
  if (actor === undefined) throw new Error('The operator is a member.')
  const parts: string[][] = []
  const conditions: Condition[] = [{ field: 'state', op: 'any_of', values: ['new'] }]
  for await (const part of readExportRecords(t.store, actor, conditions)) parts.push(part.map(({ id }) => id))
  expect(parts.flat()).toEqual(ids)
  expect(parts.length).toBeGreaterThan(1)
})
