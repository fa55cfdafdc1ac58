import { expect, test } from 'vitest'
import type { ListPage } from '../../../../test/prospects.ts'
import { visibleRowLimits } from '../../../http/visible-rows.ts'
import { newId } from '../../../lib/ids.ts'
import { slicesOf } from '../../../lib/slices.ts'
import type { ContactCandidate } from '../candidates/candidates.schema.ts'
import { contactWorld } from './contact-world.ts'

test('a list with many candidates that an entry matches reads a bounded number of them for one page', async () => {
  const { t, operator, extract, suppress } = await contactWorld()
  await extract('<p>desk@karoo.co.za</p>')
  const candidate = await t.store.reader.selectFrom('contact_candidates').selectAll().executeTakeFirstOrThrow()
  const state = await t.store.reader.selectFrom('contact_candidate_states').selectAll().executeTakeFirstOrThrow()
  const added = Array.from({ length: visibleRowLimits.rowsRead }, (_, at) => {
    const value = `n${at}@quagga.co.za`
    return { id: newId(), value, normalized: value, identity: `email ${value}`, domain: 'quagga.co.za' }
  })
  await t.store.write('upkeep', async (db) => {
    for (const part of slicesOf(added, 500)) {
      await db
        .insertInto('contact_candidates')
        .values(part.map(({ id }) => ({ ...candidate, id })))
        .execute()
      await db
        .insertInto('contact_candidate_states')
        .values(part.map(({ id, ...values }) => ({ ...state, ...values, candidate_id: id })))
        .execute()
    }
    return { keep: true, value: undefined }
  })
  await suppress('domain', 'quagga.co.za')
  const list = async (query: string) =>
    (await operator.get<ListPage<ContactCandidate>>(`/contact-candidates?limit=50${query}`)).body
  const first = await list('')
  expect(first).toMatchObject({ items: [], page: { returned: 0, nextCursor: expect.any(String) } })
  const next = await list(`&cursor=${first.page.nextCursor}`)
  expect(next.items.map(({ value }) => value)).toEqual(['desk@karoo.co.za'])
  expect(next.page.nextCursor).toBeNull()
}, 120_000)
