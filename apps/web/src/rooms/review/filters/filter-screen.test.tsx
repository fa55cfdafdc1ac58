import type { FilterDefaults, SavedFilter } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, heldAnswer, json } from '../../../../test/fake-api.ts'
import { renderInApp } from '../../../../test/render.tsx'
import { sessionOf } from '../../../../test/session.ts'
import { currentActions, perform } from '../../../ui/actions/actions.ts'
import { FilterPage } from './filter-screen.tsx'

const filter: SavedFilter = {
  ...{ id: 'filter-1', version: 3, createdAt: '2026-11-21T10:00:00.000Z', updatedAt: '2026-11-21T10:00:00.000Z' },
  ...{ desk: 'prospects', name: 'Paarl', filter: [{ field: 'city', op: 'any_of', values: ['Paarl'] }], sort: null },
  ...{ view: null, columns: null, schemaVersion: 1, owner: { id: 'user-1', name: 'Thandi Nkosi' }, ownerLeft: false },
  ...{ sharing: 'private', isLocked: false, mayChange: true, problems: [], removed: [] },
}
const none = { prospects: null, review: null }
const defaults: FilterDefaults = { version: 1, own: none, tenantVersion: 1, tenant: none }
const edited = 'PATCH /saved-filters/filter-1'

test('a step that is being saved is sent once, and the others wait for it', async () => {
  const held = heldAnswer()
  const api = fakeApi({ 'GET /saved-filters/defaults': json(defaults), [edited]: held.answer })
  await renderInApp(<FilterPage filter={filter} />, { session: sessionOf({ permissions: ['saved_filters.share'] }) })
  const share = page.getByRole('button', { name: 'Share it with the workspace' })
  const other = page.getByRole('button', { name: 'Make it my default' })
  await expect.element(other).toBeVisible()
  const element = share.element() as HTMLButtonElement
  element.click()
  element.click()
  await expect.element(share).toHaveAttribute('data-loading', 'true')
  await expect.element(other).toHaveAccessibleDescription('Another change to this filter is being saved.')
  for (const action of currentActions()) if (action.id !== 'filter.use') perform(action)
  await other.click({ force: true })
  held.send(json({ ...filter, version: 4, sharing: 'tenant' }))
  await expect.element(page.getByText('The filter is now shared.')).toBeVisible()
  await expect.element(other).not.toHaveAttribute('aria-disabled')
  expect(api.sent.filter(({ method }) => method !== 'GET')).toHaveLength(1)
})
