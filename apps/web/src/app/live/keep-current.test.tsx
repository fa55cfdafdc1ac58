import type { BusinessSummary, Pipeline } from '@prospect/api-client'
import { getPipelineOptions } from '@prospect/api-client/query'
import { useQuery } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { type ChangeItem, liveChanges } from '../../ui/api/live-changes.ts'
import { useChangedRows } from '../../ui/lists/changed-rows.ts'
import { useProspectPages } from '../../ui/prospects/use-prospect-pages.ts'
import { keepCurrent } from './keep-current.ts'

const listed = (id: string, name: string, version: number) =>
  json({
    items: [{ id, version, name } as BusinessSummary],
    page: { limit: 50, returned: 1, nextCursor: null, total: null },
  })
const counted = (count: number) =>
  json({ states: [{ state: 'new', enabled: true, count }], transitions: [] } as unknown as Pipeline)
const changed = (id: string, version: number, more: Partial<ChangeItem> = {}) =>
  liveChanges.publish({
    type: 'changes',
    items: [{ kind: 'business', id, businessId: id, version, ...more }],
  })

function Desk() {
  const { rows } = useProspectPages({}, 50)
  const marks = useChangedRows()
  const { data } = useQuery(getPipelineOptions())
  return (
    <>
      <p>{rows.map(({ id, name }) => `${name}${marks.has(id) ? ' (changed)' : ''}`).join(', ')}</p>
      <p>{`${data?.states[0]?.count ?? 'no'} new`}</p>
    </>
  )
}

/** Renders a list with one record. Each test uses its own id, because the mark of a changed row remains after the test. */
async function desk(id: string) {
  const api = fakeApi({
    'GET /businesses': [listed(id, 'Before', 1), listed(id, 'After', 2)],
    'GET /pipeline': [counted(1), counted(2)],
  })
  const { queryClient, unmount } = await renderInApp(<Desk />)
  const stop = keepCurrent(queryClient)
  await expect.element(page.getByText('Before')).toBeVisible()
  await expect.element(page.getByText('1 new')).toBeVisible()
  return {
    ...api,
    end: async () => {
      stop()
      await unmount()
    },
  }
}

test('a change by another user appears in list and counts, and its row is marked', async () => {
  const { end } = await desk('b1')
  changed('b1', 2)
  await expect.element(page.getByText('After (changed)')).toBeVisible()
  await expect.element(page.getByText('2 new')).toBeVisible()
  await end()
})

test('a version that this window already has is not read again', async () => {
  const { sentTo, end } = await desk('b2')
  changed('b2', 1)
  changed('d1', 2, { kind: 'draft', businessId: null })
  changed('b2', 2)
  await expect.element(page.getByText('After (changed)')).toBeVisible()
  expect(sentTo('GET /businesses')).toHaveLength(2)
  await end()
})

test('after too many missed changes everything on screen is read again', async () => {
  const { end } = await desk('b3')
  liveChanges.publish({ type: 'reset' })
  await expect.element(page.getByText('After', { exact: true })).toBeVisible()
  await expect.element(page.getByText('2 new')).toBeVisible()
  await end()
})

test('what changed before the stream began is read when it begins', async () => {
  const { end } = await desk('b4')
  liveChanges.publish({ type: 'state', state: 'live' })
  await expect.element(page.getByText('After', { exact: true })).toBeVisible()
  liveChanges.publish({ type: 'state', state: 'connecting' })
  await end()
})
