import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { businessOf } from '../../../test/business.ts'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { DialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { pendingMoves, setPendingMoves } from '../../ui/prospects/pending-moves.ts'
import { MoveDialog } from './move-dialog.tsx'

const session = sessionOf({ permissions: ['pipeline.move'] })
const states = ['new', 'contacted', 'disqualified'].map((state) => ({
  state,
  kind: state === 'disqualified' ? 'set_aside' : 'open',
  enabled: true,
  count: 0,
}))
const transitions = [
  { from: 'new', to: 'contacted', reasonRequired: false },
  { from: 'new', to: 'disqualified', reasonRequired: true },
]
const first = page.getByRole('button', { name: 'Move to Contacted' })

const dialog = (key: string) => (
  <DialogSlot key={key}>
    <MoveDialog business={businessOf()} close={() => {}} reopen={() => {}} />
  </DialogSlot>
)

beforeEach(() => {
  setPendingMoves([])
  fakeApi({
    'GET /pipeline': json({ states, transitions }),
    'POST /businesses/b1/pipeline-transitions': json({ business: businessOf({ version: 2 }), transition: null }),
  })
})
afterEach(() => setPendingMoves([]))

test('a move carries the reason that was typed, and a quick one says that nobody gave one', async () => {
  const { show } = await renderInApp(dialog('quick'), { session })
  await expect.element(first).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => pendingMoves().map(({ reason }) => reason)).toEqual(['Moved without a reason.'])
  setPendingMoves([])
  show(dialog('with a reason'))
  const reason = page.getByRole('textbox', { name: 'Reason (optional)' })
  await reason.fill('Owner wants a quote')
  await userEvent.keyboard('{Enter}')
  await expect.element(first).toHaveFocus()
  expect(pendingMoves()).toEqual([])
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => pendingMoves().map((move) => move.reason)).toEqual(['Owner wants a quote'])
})

test('a move that needs a reason takes over the one that was typed', async () => {
  await renderInApp(dialog('set aside'), { session })
  await page.getByRole('textbox', { name: 'Reason (optional)' }).fill('Not interested')
  await page.getByRole('button', { name: 'Set aside as disqualified…' }).click()
  await expect.element(page.getByRole('textbox', { name: /^Reason/ })).toHaveValue('Not interested')
})
