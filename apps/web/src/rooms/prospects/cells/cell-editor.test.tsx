import type { BusinessSummary } from '@prospect/api-client'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { businessOf, noAddress } from '../../../../test/business.ts'
import { fakeApi, json, problem } from '../../../../test/fake-api.ts'
import { renderInApp } from '../../../../test/render.tsx'
import { sessionOf } from '../../../../test/session.ts'
import { until } from '../../../../test/until.ts'
import { currentActions } from '../../../ui/actions/actions.ts'
import { takeUndo } from '../../../ui/forms/undo.ts'
import { defaultPreferences } from '../../../ui/lists/table/column-preferences.ts'
import { prospectColumns } from '../list/prospect-columns.tsx'
import { ProspectTable } from '../list/prospect-table.tsx'
import { ContactEditor } from './contact-editor.tsx'

const business = businessOf({ version: 3, address: { ...noAddress, city: 'Paarl' } })
const row = {
  ...business,
  doNotContact: false,
  primaryEmail: null,
  primaryPhone: null,
  primaryPhoneNormalized: null,
  primaryDomain: null,
  city: 'Paarl',
  province: null,
  hasEvidence: false,
  evidenceCount: 0,
  score: { status: 'not_scored', reason: null, low: null, high: null, priority: null, eligibility: null },
  review: { state: 'unreviewed', isDue: false },
  lastInteractionAt: null,
  followUpOn: null,
  createdAt: '2026-11-01T08:00:00.000Z',
  updatedAt: '2026-11-01T08:00:00.000Z',
} as unknown as BusinessSummary
const page1 = { items: [row], page: { limit: 50, returned: 1, nextCursor: null, total: null } }
const editing = 'PATCH /businesses/b1'
const answers = {
  'GET /businesses': json(page1),
  'GET /businesses/b1': json(business),
  'GET /assignees': json({ ...page1, items: [] }),
  'GET /scoring/active': json({ active: null }),
  [editing]: json({ ...business, version: 4 }),
}

const quick = vi.fn()

function Table() {
  const [preferences, setPreferences] = useState(() => defaultPreferences(prospectColumns))
  return (
    <div style={{ height: '30rem', display: 'flex', flexDirection: 'column' }}>
      <ProspectTable
        search={{}}
        change={() => {}}
        clear={() => {}}
        openId={null}
        preferences={preferences}
        onPreferences={setPreferences}
        bulk={undefined}
        quick={quick}
        isSettling={false}
      />
    </div>
  )
}
const show = (permissions: ('businesses.write' | 'businesses.read')[]) =>
  renderInApp(<Table />, { session: sessionOf({ permissions }) })
const press = (keys: string) =>
  currentActions()
    .find((action) => action.keys === keys)
    ?.run()
const field = (what: string) => page.getByRole('textbox', { name: `${what} of Karoo Solar` })

beforeEach(() => page.viewport(1_400, 800))
afterEach(() => {
  while (takeUndo() !== undefined);
})

test('by keyboard: F2 edits the first cell of the active row, Tab saves and goes to the next, Esc returns to the row', async () => {
  const { sentTo } = fakeApi(answers)
  await show(['businesses.write'])
  const link = page.getByRole('link', { name: 'Karoo Solar' })
  await expect.element(link).toBeVisible()
  press('j')
  await expect.element(link).toHaveFocus()
  press('F2')
  await expect.element(field('Registered name')).toHaveFocus()
  await userEvent.keyboard('Karoo Sun{Tab}')
  await expect.element(page.getByRole('combobox', { name: 'Assignee of Karoo Solar' })).toHaveFocus()
  expect(sentTo(editing).map(({ body }) => body)).toEqual([{ name: 'Karoo Sun' }])
  await userEvent.keyboard('{Escape}')
  await userEvent.keyboard('{Escape}')
  await expect.element(link).toHaveFocus()
})

test('the pencil of a cell opens its editor; a save that is refused keeps the text in the cell and says why', async () => {
  fakeApi({ ...answers, [editing]: problem(422, 'business_not_active', { detail: 'The record was merged.' }) })
  await show(['businesses.write'])
  // The pointer may already be over the row, which would then receive no enter event.
  await page.getByRole('columnheader', { name: 'Name' }).hover()
  await page.getByRole('link', { name: 'Karoo Solar' }).hover()
  await page.getByRole('button', { name: 'Edit city' }).click()
  await expect.element(field('City')).toHaveFocus()
  await userEvent.keyboard('Ceres{Enter}')
  await expect.element(page.getByRole('alert')).toMatchTextContent('Not saved: City of Karoo Solar')
  await expect.element(field('City')).toHaveValue('Ceres')
  await userEvent.keyboard('{Escape}')
  await until(() => expect(field('City').query()).toBeNull())
})

test('a person who may not write sees no way to edit a cell', async () => {
  fakeApi(answers)
  await show(['businesses.read'])
  await page.getByRole('link', { name: 'Karoo Solar' }).hover()
  await expect.element(page.getByRole('button', { name: 'Edit city' })).not.toBeInTheDocument()
  expect(currentActions().some(({ keys }) => keys === 'F2')).toBe(false)
})

test('quick keys open the dialogs of the record for the active row', async () => {
  fakeApi(answers)
  await renderInApp(<Table />, {
    session: sessionOf({ permissions: ['businesses.write', 'pipeline.move', 'notes.write'] }),
  })
  await expect.element(page.getByRole('link', { name: 'Karoo Solar' })).toBeVisible()
  press('j')
  await until(() => expect(document.activeElement?.textContent).toBe('Karoo Solar'))
  for (const keys of ['a', 't', 'm', 'n']) press(keys)
  expect(quick.mock.calls).toEqual([
    ['b1', 'assign'],
    ['b1', 'tags'],
    ['b1', 'move'],
    ['b1', 'note'],
  ])
})

test('a typed value on the do-not-contact list is reported in the editor, and the block is announced when it is saved', async () => {
  const block = { at: '2026-11-20T10:00:00.000Z', by: business.createdBy, reason: 'Matched.', through: 'suppression' }
  const { sentTo } = fakeApi({
    'POST /suppressions/checks': ({ body }) => {
      const { values } = body as { values: { kind: string; value: string }[] }
      return Response.json({ items: values.map((one) => ({ ...one, suppressed: true, suppressions: [] })) })
    },
    'GET /businesses/b1': json({ ...business, doNotContact: block }),
    [editing]: json({ ...business, version: 4, doNotContact: block }),
  })
  await renderInApp(<ContactEditor business={business} field="emails.0" close={() => {}} />, {
    session: sessionOf({ permissions: ['businesses.write', 'suppression.read'] }),
  })
  await page.getByRole('textbox', { name: 'Email of Karoo Solar', exact: true }).fill('stop@steyn.co.za')
  await expect.element(page.getByText(/If you save this value, the prospect is marked do not contact/)).toBeVisible()
  expect(sentTo('POST /suppressions/checks').map(({ body }) => body)).toEqual([
    { values: [{ kind: 'email', value: 'stop@steyn.co.za' }] },
  ])
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Karoo Solar is now marked do not contact')).toBeVisible()
})
