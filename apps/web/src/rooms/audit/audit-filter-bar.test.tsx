import type { AuditActions } from '@prospect/api-client'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { AuditFilterBar } from './audit-filter-bar.tsx'
import { type AuditSearch, parseAuditSearch } from './audit-search.ts'

const actions: AuditActions = {
  items: [
    { action: 'note.add', label: 'Note added', isSecurity: false },
    { action: 'business.edit', label: 'Record edited', isSecurity: false },
    { action: 'scoring_run.stop', label: 'Recalculation stopped', isSecurity: false },
  ],
  subjects: [
    { type: 'business', label: 'Prospect' },
    { type: 'note', label: 'Note' },
  ],
}

function Bar({ initial, changed }: { initial: AuditSearch; changed: (search: AuditSearch) => void }) {
  const [search, setSearch] = useState(initial)
  const set = (patch: Record<string, unknown>) => {
    const next = parseAuditSearch({ ...search, ...patch })
    setSearch(next)
    changed(next)
  }
  return <AuditFilterBar search={search} set={set} clear={() => undefined} />
}

test('events are narrowed to a prospect and to a field of it; another prospect removes the field', async () => {
  fakeApi({
    'GET /audit-actions': json(actions),
    'GET /assignees': json({ items: [] }),
    'GET /businesses/b1': json({ id: 'b1', name: 'Karoo Windpumps' }),
    'GET /businesses': json({
      items: [{ id: 'b2', name: 'Overberg Dairy', city: 'Caledon', doNotContact: false }],
      page: { limit: 8, returned: 1, nextCursor: null, total: null },
    }),
  })
  const seen: AuditSearch[] = []
  await renderInApp(<Bar initial={{ businessId: 'b1' }} changed={(search) => seen.push(search)} />)
  const prospect = page.getByRole('combobox', { name: 'Prospect', exact: true })
  await expect.element(prospect).toHaveValue('Karoo Windpumps')
  await page.getByRole('combobox', { name: 'Field' }).click()
  await page.getByRole('option', { name: 'Phones' }).click()
  expect(seen.at(-1)).toEqual({ businessId: 'b1', field: 'phones' })
  await prospect.fill('over')
  await page.getByRole('option', { name: /Overberg Dairy/ }).click()
  expect(seen.at(-1)).toEqual({ businessId: 'b2' })
})

test('actions are grouped by the kind of record, and found by typing', async () => {
  fakeApi({ 'GET /audit-actions': json(actions), 'GET /assignees': json({ items: [] }) })
  await renderInApp(<Bar initial={{}} changed={() => undefined} />)
  expect(page.getByRole('combobox', { name: 'Field' }).elements()).toHaveLength(0)
  await page.getByRole('combobox', { name: 'What' }).click()
  await expect.element(page.getByText('Scoring run', { exact: true })).toBeVisible()
  await expect.element(page.getByText('Prospect', { exact: true }).last()).toBeVisible()
  await userEvent.keyboard('note')
  await expect
    .poll(() =>
      page
        .getByRole('option')
        .elements()
        .map((one) => one.textContent),
    )
    .toEqual(['Note added'])
})
