import type { SavedFilter } from '@prospect/api-client'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { type ProspectSearch, parseProspectSearch } from '../../rooms/prospects/list/prospect-search.ts'
import { defaultPreferences } from '../../ui/lists/table/column-preferences.ts'
import { useSavedFilter } from './use-saved-filter.tsx'

const filter: SavedFilter = {
  ...{ id: 'f-1', version: 1, createdAt: '2026-11-20T08:00:00.000Z', updatedAt: '2026-11-20T08:00:00.000Z' },
  ...{ desk: 'prospects', name: 'Solar', sort: 'name', view: null, columns: null, schemaVersion: 1 },
  filter: [{ field: 'tag', op: 'any_of', values: ['solar'] }],
  ...{ owner: { id: 'user-1', name: 'Ann' }, ownerLeft: false, sharing: 'private', isLocked: false, mayChange: true },
  problems: [],
  removed: [],
}
const none = {
  version: 1,
  own: { prospects: null, review: null },
  tenantVersion: 1,
  tenant: { prospects: null, review: null },
}
const defaultsOf = (own: string | null, tenant: string | null) =>
  json({ ...none, own: { ...none.own, prospects: own }, tenant: { ...none.tenant, prospects: tenant } })

function Desk({ start }: { start: ProspectSearch }) {
  const [search, setSearch] = useState(start)
  const { menu, notice, isSettling, clear } = useSavedFilter({
    ...{ desk: 'prospects', search, shown: search, opensDefault: true },
    go: (patch) => setSearch((now) => parseProspectSearch({ ...now, ...patch })),
    preferences: defaultPreferences([{ id: 'name', width: 10 }]),
    setPreferences: () => undefined,
  })
  return (
    <>
      {menu}
      {notice}
      <output aria-label="Address">{isSettling ? 'settling' : JSON.stringify(search)}</output>
      <button type="button" onClick={() => setSearch({ ...search, tag: 'wind' })}>
        Alter
      </button>
      <button type="button" onClick={clear}>
        Clear all
      </button>
    </>
  )
}

const shown = () => page.getByRole('status', { name: 'Address' })

test('a list without filters opens with the default of the user before that of the workspace; after clearing it stays unfiltered', async () => {
  fakeApi({ 'GET /saved-filters/defaults': defaultsOf('f-1', 'f-2'), 'GET /saved-filters/f-1': json(filter) })
  await renderInApp(<Desk start={{}} />)
  await expect.element(shown()).toHaveTextContent('{"tag":"solar","saved":"f-1","sort":"name"}')
  await expect.element(page.getByRole('button', { name: 'Saved filter: Solar' })).toBeVisible()
  await page.getByRole('button', { name: 'Alter' }).click()
  await expect.element(page.getByRole('button', { name: 'Saved filter: Solar, edited' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect.element(shown()).toHaveTextContent('{"saved":"none","sort":"name"}')
})

test('the address takes precedence over every default', async () => {
  fakeApi({ 'GET /saved-filters/defaults': defaultsOf('f-1', null) })
  await renderInApp(<Desk start={{ tag: 'wind' }} />)
  await expect.element(shown()).toHaveTextContent('{"tag":"wind"}')
  await expect.element(page.getByRole('button', { name: 'Saved filters' })).toBeVisible()
})

test('a filter with an unreadable condition is not applied, and a link leads to its repair', async () => {
  const broken: SavedFilter = { ...filter, problems: [{ field: 'size', problem: 'unreadable' }] }
  fakeApi({ 'GET /saved-filters/defaults': defaultsOf('f-1', null), 'GET /saved-filters/f-1': json(broken) })
  await renderInApp(<Desk start={{}} />)
  await expect.element(page.getByText(/“Solar” is not applied. size: cannot be read/)).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Repair the filter' }))
    .toHaveAttribute('href', '/review/filters/f-1')
  await expect.element(shown()).toHaveTextContent('{"saved":"f-1"}')
})

test('a filter with a removed value is applied', async () => {
  const removed: SavedFilter = {
    ...filter,
    removed: [{ field: 'tag', value: 'solar', name: null, effect: 'matches_nothing' }],
  }
  fakeApi({ 'GET /saved-filters/defaults': defaultsOf(null, null), 'GET /saved-filters/f-1': json(removed) })
  await renderInApp(<Desk start={{ saved: 'f-1' }} />)
  await expect.element(shown()).toMatchTextContent('"tag":"solar"')
  await expect.element(page.getByText(/is not applied/)).not.toBeInTheDocument()
})

test('a deleted filter says so and can be closed', async () => {
  fakeApi({
    'GET /saved-filters/defaults': defaultsOf(null, null),
    'GET /saved-filters/f-9': problem(404, 'not_found', { detail: 'There is no such filter.' }),
  })
  await renderInApp(<Desk start={{ saved: 'f-9', tag: 'wind' }} />)
  await expect.element(page.getByText(/may have been deleted or may no longer be shared/)).toBeVisible()
  await page.getByRole('button', { name: 'Continue without the filter' }).click()
  await expect.element(shown()).toHaveTextContent('{"tag":"wind"}')
})
