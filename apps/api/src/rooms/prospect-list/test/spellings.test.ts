import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { editBehind } from '../../../../test/integrity.ts'
import { askMerge, askReversal, merged, suggestedPair, suggestionOfPair } from '../../../../test/merging.ts'
import { addEvidenceTo, createProspect, walk } from '../../../../test/prospects.ts'
import { findSpellings } from '../conditions/spellings.ts'
import type { BusinessSummary } from '../prospect-list.schema.ts'

const cities = ['Paarl', 'PAARL', 'Cape Town', 'Bellville', null]

async function setUp() {
  const t = await buildTestApp()
  const [operator, other] = [await t.as('operator'), await t.as('operator', 'other')]
  for (const city of cities) await createProspect(operator, { address: { city } })
  await createProspect(other, { address: { city: 'Kaapstad' } })
  const namesOf = (column: 'city', isWhole: boolean, ...values: string[]) =>
    findSpellings(t.store.backgroundOf(t.tenants.home.id), t.tenants.home.id, { column, isWhole, values })
  const listed = async (op: string, ...values: string[]) => {
    const conditions = encodeURIComponent(JSON.stringify([{ field: 'city', op, values }]))
    return (await walk<BusinessSummary>(operator, `/businesses?conditions=${conditions}`)).map(({ city }) => city)
  }
  return { t, operator, namesOf, listed }
}

test('a part of a text is compared with the spellings of the tenant alone', async () => {
  const { namesOf } = await setUp()
  expect(await namesOf('city', false, 'A')).toEqual(['cape town', 'paarl'])
  expect(await namesOf('city', false, 'town', 'VILLE')).toEqual(['bellville', 'cape town'])
  expect(await namesOf('city', false, 'kaap')).toEqual([])
})

test('values that differ in case list each record once', async () => {
  const { listed, namesOf } = await setUp()
  expect(await namesOf('city', true, 'Paarl', 'paarl', 'Élim')).toEqual(['paarl'])
  expect((await listed('any_of', 'Paarl', 'paarl', 'BELLVILLE')).toSorted()).toEqual(['Bellville', 'PAARL', 'Paarl'])
})

test('with more spellings than are compared each record is compared, and the list is the same', async () => {
  const { t, namesOf, listed } = await setUp()
  const before = await listed('contains', 'town')
  editBehind(
    t.store.dataDir,
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2001)
     INSERT INTO businesses (tenant_id, id, version, created_at, created_by, updated_at, name, name_key, city, tags, status, pipeline_state,
       do_not_contact, has_evidence, normalization_version)
     SELECT '${t.tenants.home.id}', 'one-' || n, 1, 'then', 'sample data', 'then', 'One', 'one', 'Place ' || n, '[]', 'active', 'new', 0, 0, '1'
     FROM numbers`,
  )
  expect(await namesOf('city', false, 'town')).toBeUndefined()
  expect(await listed('contains', 'town')).toEqual(before)
  expect(before).toEqual(['Cape Town'])
  // A town is found by its other names, too.
  expect(await listed('any_of', 'Kaapstad')).toEqual(['Cape Town'])
})

test.for([
  ['city', 'Cape Town', ['Kaapstad', 'CAPE TOWN', 'Cape-Town', 'iKapa', 'Capetown']],
  ['city', 'Kaapstad', ['Cape Town', 'kaapstad']],
  ['city', 'Port Elizabeth', ['Gqeberha', 'P.E.', 'Die Baai', 'Ibhayi']],
  ['city', 'Gqeberha', ['Port Elizabeth', 'PE']],
  ['city', 'Sea Point', ['Seapoint', 'sea-point']],
  ['city', 'Ĉité d’Or', ['Cite dOr', "Cité d'Or"]],
  ['industry', 'Food & Beverage', ['Food and Beverage', 'food en beverage', 'FOOD + BEVERAGE']],
  ['industry', 'E-commerce', ['Ecommerce', 'e commerce']],
  ['sourceLabel', 'Jan’s directory (Pty) Ltd', ["Jan's Directory", 'jans directory']],
] as const)('the %s %s is found in its other spellings', async ([field, text, spellings]) => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const facts = field === 'city' ? { address: { city: text } } : field === 'industry' ? { industry: text } : {}
  const { id } = await createProspect(operator, facts)
  if (field === 'sourceLabel') await addEvidenceTo(operator, id, { sourceLabel: text })
  const plain = await createProspect(operator, { address: { city: 'Paarl' }, industry: 'Mining' })
  await addEvidenceTo(operator, plain.id, { sourceLabel: 'A visit' })
  const listed = async (op: string, ...values: string[]) => {
    const conditions = encodeURIComponent(JSON.stringify([{ field, op, values }]))
    return (await walk<BusinessSummary>(operator, `/businesses?conditions=${conditions}`)).map((row) => row.id)
  }
  for (const value of [text, ...spellings]) {
    expect([value, await listed('any_of', value)]).toEqual([value, [id]])
    expect([value, await listed('any_of', value, 'Nowhere')]).toEqual([value, [id]])
    expect([value, await listed('none_of', value)]).toEqual([value, [plain.id]])
    expect([value, await listed('contains', value)]).toEqual([value, [id]])
  }
  expect(await listed('any_of', 'Nowhere')).toEqual([])
  expect((await listed('none_of', 'Nowhere')).toSorted()).toEqual([id, plain.id].toSorted())
})

test('a source of a merged record finds its survivor until the merge is reversed', async () => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const { a, b } = await suggestedPair(t, manager, 'Karoo Pumps')
  await addEvidenceTo(manager, b, { sourceLabel: 'Pump directory' })
  await addEvidenceTo(manager, (await createProspect(manager)).id, { sourceLabel: 'A visit' })
  const { id } = await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
  const listed = async (op: string, ...values: string[]) => {
    const conditions = encodeURIComponent(JSON.stringify([{ field: 'sourceLabel', op, values }]))
    return (await walk<BusinessSummary>(manager, `/businesses?conditions=${conditions}`)).map((row) => row.id)
  }
  const asked = [
    ['any_of', 'pump DIRECTORY'],
    ['any_of', 'Pump directory', 'pump directory', 'None'],
    ['contains', 'pump', 'directory'],
  ] as const
  for (const [op, ...values] of asked) expect(await listed(op, ...values)).toEqual([a])
  expect(await listed('contains', 'nowhere')).toEqual([])
  expect((await askReversal(manager, id)).status).toBe(200)
  for (const [op, ...values] of asked) expect(await listed(op, ...values)).toEqual([b])
})
