import type { Business } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { currentActions, keyClashes } from '../../ui/actions/actions.ts'
import { answersOf } from '../../ui/api/query-keys.ts'
import { useRecordForm } from '../../ui/rooms/record-page.ts'
import type { RecordForm, RecordParts } from '../../ui/rooms/record-parts.ts'
import { loadRecordParts } from './load-record-parts.ts'
import { RecordView } from './record-view.tsx'

const business: Partial<Business> = {
  id: 'b1',
  version: 1,
  name: 'Karoo Solar',
  tradingName: null,
  industry: null,
  phones: [],
  address: { street: null, suburb: null, city: null, province: null, postalCode: null, country: null },
  status: 'active',
  pipelineState: 'new',
  stateBeforePause: null,
  assignee: null,
  lastInteractionAt: null,
  followUpOn: null,
  doNotContact: null,
  mergedInto: null,
  erasedAt: null,
  valuesHidden: false,
  updatedAt: '2026-11-20T10:00:00.000Z',
}
const block = {
  reason: 'Asked by phone',
  by: { kind: 'user' as const, id: 'user-2', name: 'Ben' },
  at: '2026-11-20T10:00:00.000Z',
}
const reading = 'GET /businesses/b1'
const idsNow = () => currentActions().map(({ id }) => id)
const everything = sessionOf({
  permissions: [
    'businesses.write',
    'businesses.block',
    'evidence.write',
    'notes.write',
    'interactions.write',
    'pipeline.move',
    'suppression.remove',
    'erasure.erase',
  ],
})

const callForm: RecordForm<string> = { id: 'call', tab: 'calls' }
function CallsTab() {
  const [start, setStart] = useRecordForm(callForm)
  return start === undefined ? (
    <p>No form</p>
  ) : (
    <form aria-label={start}>
      <button type="button" onClick={() => setStart(undefined)}>
        Close the form
      </button>
    </form>
  )
}
const Icon = () => null
const parts: Required<RecordParts> = {
  tabs: [
    { id: 'facts', label: 'Facts', position: 1, Content: () => <p>The facts</p> },
    { id: 'calls', label: 'Calls', position: 2, Content: CallsTab },
    { id: 'trail', label: 'Trail', Content: () => <p>The trail</p> },
    { id: 'secret', label: 'Secret', permission: 'tenant.configure', Content: () => <p>The secret</p> },
  ],
  tabParts: [
    { tab: 'calls', Content: () => <p>Calls of another room</p> },
    { tab: 'facts', isAbove: true, Content: () => <p>Above the facts</p> },
    { tab: 'trail', id: 'old-tab', Content: () => <p>Once a tab of its own</p> },
  ],
  modes: [],
  actions: [
    { id: 'call', label: 'Log a call', Icon, at: 'button', run: (record) => record.openForm(callForm, 'New call') },
    { id: 'split', label: 'Split', Icon, at: 'menu', asksMore: true, run: (record) => record.openDialog('split') },
    { id: 'archive', label: 'Archive', Icon, at: 'button', permission: 'tenant.configure', run: () => {} },
  ],
  dialogs: [
    {
      id: 'split',
      Content: ({ close }) => (
        <div role="dialog" aria-label="Split the record">
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      ),
    },
  ],
  notices: [() => <p>A notice</p>],
  blockNotices: [],
}

test('a tab shows the parts that other rooms add to it, and no other tab does', async () => {
  fakeApi({ [reading]: json(business) })
  await renderInApp(<RecordView parts={parts} businessId="b1" variant="page" />)
  await expect.element(page.getByText('The facts')).toBeVisible()
  const above = page.getByText('Above the facts').element()
  expect(above.compareDocumentPosition(page.getByText('The facts').element())).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  expect(page.getByText('Calls of another room').elements()).toEqual([])
  await page.getByRole('tab', { name: 'Calls' }).click()
  await expect.element(page.getByText('Calls of another room')).toBeVisible()
})

test('tabs beyond those of daily work are in a menu; the open one is shown as a tab, and forbidden ones nowhere', async () => {
  fakeApi({ [reading]: json(business) })
  await renderInApp(<RecordView parts={parts} businessId="b1" variant="page" />)
  const names = () =>
    page
      .getByRole('tab')
      .elements()
      .map((tab) => tab.textContent)
  await expect.element(page.getByRole('tab', { name: 'Facts' })).toHaveAttribute('aria-selected', 'true')
  expect(names()).toEqual(['Facts', 'Calls'])
  const more = page.getByRole('button', { name: 'More sections' })
  more.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('menuitem')).toHaveTextContent('Trail')
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.element(page.getByText('The trail')).toBeVisible()
  await expect.element(page.getByRole('tab', { name: 'Trail' })).toHaveAttribute('aria-selected', 'true')
  expect(names()).toEqual(['Facts', 'Calls', 'Trail'])
  expect(more.query()).toBeNull()
})

test('the address of a tab that became a part of another one opens it there; that of a forbidden tab opens the first', async () => {
  fakeApi({ [reading]: json(business) })
  await renderInApp(<RecordView parts={parts} businessId="b1" variant="page" />, { path: '/?tab=old-tab' })
  await expect.element(page.getByRole('tab', { name: 'Trail' })).toHaveAttribute('aria-selected', 'true')
  await expect.element(page.getByText('Once a tab of its own')).toBeVisible()
})

test('tabs, buttons, menu items, dialogs and forms come from the parts of the rooms', async () => {
  fakeApi({ [reading]: json(business) })
  await renderInApp(<RecordView parts={parts} businessId="b1" variant="page" />)
  await expect.element(page.getByText('A notice')).toBeVisible()
  await expect.element(page.getByText('The facts')).toBeVisible()
  await page.getByRole('button', { name: 'Log a call' }).click()
  await expect.element(page.getByRole('form', { name: 'New call' })).toBeVisible()
  await page.getByRole('tab', { name: 'Facts' }).click()
  await page.getByRole('tab', { name: 'Calls' }).click()
  await page.getByRole('button', { name: 'Close the form' }).click()
  await expect.element(page.getByText('No form')).toBeVisible()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Split…' }).click()
  await page.getByRole('dialog', { name: 'Split the record' }).getByRole('button', { name: 'Cancel' }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('actions depend on permission and record, in the palette as in the header', async () => {
  fakeApi({ [reading]: [json(business), json({ ...business, status: 'inactive' })] })
  const { queryClient } = await renderInApp(<RecordView parts={parts} businessId="b1" variant="page" />)
  await expect.element(page.getByRole('button', { name: 'Log a call' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Archive' })).not.toBeInTheDocument()
  expect(idsNow()).toEqual(['call', 'split'])
  await queryClient.invalidateQueries({ queryKey: answersOf('getBusiness') })
  await expect.element(page.getByRole('button', { name: 'Log a call' })).not.toBeInTheDocument()
  expect(idsNow()).toEqual([])
})

test('the palette offers erasure and unblocking; no two actions of rooms share keys', async () => {
  const { tabs, actions, dialogs } = await loadRecordParts()
  expect(keyClashes(actions)).toEqual([])
  expect(tabs.map(({ id }) => id)).toEqual([
    'overview',
    'interactions',
    'notes',
    'pipeline',
    'evidence',
    'score',
    'brief',
    'review',
    'drafts',
    'website',
    'activity',
  ])
  fakeApi({
    [reading]: json({ ...business, doNotContact: { ...block, through: 'hand' } }),
    'GET /pipeline': json({ states: [], transitions: [] }),
  })
  await renderInApp(<RecordView parts={{ ...parts, actions, dialogs }} businessId="b1" variant="page" />, {
    session: everything,
  })
  await expect.element(page.getByRole('button', { name: 'Edit' })).toBeVisible()
  const offered = currentActions()
    .filter(({ inPalette }) => inPalette !== false)
    .map(({ label }) => label)
  expect(offered).toContain('Erase permanently')
  expect(offered).toContain('Lift block')
  expect(offered).not.toContain('Mark as do not contact')
})
