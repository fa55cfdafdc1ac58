import type { BulkPreview, BulkReview } from '@prospect/api-client'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type Answer, fakeApi, heldAnswer, json } from '../../../../test/fake-api.ts'
import { renderInApp } from '../../../../test/render.tsx'
import { DialogSlot } from '../../../ui/dialogs/dialog-slot.tsx'
import { BulkDialog, type BulkSelection } from './bulk-dialog.tsx'
import type { BulkAction } from './bulk-words.ts'

const preview = (id: string, refused: BulkPreview['refused'] = []) =>
  json({ id, fingerprint: 'f'.repeat(64), refused, selection: { size: 12, max: 2000 }, wouldChange: 10, unchanged: 2 })
const counts = (changed: number) => ({ changed, unchanged: 0, refused: 0, notDone: 0 })
const bulk = (id: string, status: BulkReview['status'], changed = 2) => json({ id, status, counts: counts(changed) })
const close = vi.fn()
const dialog = () => page.getByRole('dialog')

function Harness({ action, selection }: { action: BulkAction; selection: BulkSelection }) {
  const [isOpen, setIsOpen] = useState(true)
  const closeNow = () => {
    close()
    setIsOpen(false)
  }
  const words = 'the 2 selected prospects'
  return (
    <DialogSlot>
      {isOpen && (
        <BulkDialog
          action={action}
          selection={selection}
          words={words}
          close={closeNow}
          reopen={() => setIsOpen(true)}
        />
      )}
    </DialogSlot>
  )
}

const show = (action: BulkAction, selection: BulkSelection) =>
  renderInApp(<Harness action={action} selection={selection} />)

const fake = (answers: Record<string, Answer | Answer[]>) =>
  fakeApi({ 'GET /assignees': json({ items: [], nextCursor: null }), ...answers })

beforeEach(() => close.mockClear())

test('a small selection without refusals is previewed and confirmed in the dialog without a reason, and Undo reverses it', async () => {
  const { sentTo } = fake({
    'POST /bulk-reviews/previews': preview('p1'),
    'POST /bulk-reviews': [bulk('b1', 'queued'), bulk('b2', 'queued')],
    'GET /bulk-reviews/b1': [bulk('b1', 'running'), bulk('b1', 'done')],
    'POST /bulk-reviews/b1/undo-previews': preview('p2'),
  })
  const { router } = await show('assign', { ids: ['1', '2'] })
  await dialog().getByRole('button', { name: 'Preview' }).click()
  await expect
    .element(dialog().getByRole('status'))
    .toMatchTextContent(/12 of at most 2.000 selected: 10 will change, 2 need no change\./)
  expect(sentTo('POST /bulk-reviews')).toEqual([])
  await dialog().getByRole('button', { name: 'Apply to 10' }).click()
  await vi.waitFor(() => expect(close).toHaveBeenCalledOnce(), { timeout: 10_000 })
  expect(router.state.location.pathname).toBe('/')
  await expect.element(page.getByText(/^Assign: the 2 selected prospects\. 2 prospects changed\./)).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(page.getByText('Undone. The list shows the earlier values in a moment.')).toBeVisible()
  const [confirmed, undone] = sentTo('POST /bulk-reviews').map(({ body }) => body)
  expect(confirmed).toEqual({ previewId: 'p1', fingerprint: 'f'.repeat(64) })
  expect(undone).toMatchObject({ previewId: 'p2', reason: 'Undone in the list.' })
})

test('with a refusal, or with more than 50 prospects, the preview opens and nothing is confirmed', async () => {
  const { sentTo } = fake({
    'POST /bulk-reviews/previews': [preview('p1', [{ code: 'suppressed', count: 1, examples: [] }]), preview('p2')],
  })
  const { router, unmount } = await show('assign', { ids: ['1', '2'] })
  await dialog().getByRole('textbox', { name: 'Reason' }).fill('Back from leave')
  await dialog().getByRole('button', { name: 'Preview' }).click()
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/review/previews/p1'))
  expect(router.state.location.state.bulkReason).toBe('Back from leave')
  await unmount()
  const many = await show('assign', { ids: Array.from({ length: 51 }, (_, index) => String(index)) })
  await dialog().getByRole('button', { name: 'Preview' }).click()
  await vi.waitFor(() => expect(many.router.state.location.pathname).toBe('/review/previews/p2'))
  expect(sentTo('POST /bulk-reviews')).toEqual([])
})

test('a review needs a reason', async () => {
  const { sentTo } = fake({})
  await show('verify', { ids: ['1', '2'] })
  await dialog().getByRole('button', { name: 'Preview' }).click()
  await expect.element(dialog().getByText('Enter a reason. The reason is stored with each change.')).toBeVisible()
  expect(sentTo('POST /bulk-reviews/previews')).toEqual([])
})

test('a changed value needs a new preview, and a rejection has a reason and an explanation', async () => {
  const { sentTo } = fake({ 'POST /bulk-reviews/previews': [preview('p1'), preview('p2')] })
  await show('reject', { ids: ['1', '2'] })
  const choose = async (name: string) => {
    await dialog().getByRole('combobox', { name: 'Reason' }).click()
    await page.getByRole('option', { name }).click()
  }
  await choose('Out of scope')
  await dialog().getByRole('textbox', { name: 'Explanation' }).fill('Not in our region')
  await dialog().getByRole('button', { name: 'Preview' }).click()
  await expect.element(dialog().getByRole('button', { name: 'Apply to 10' })).toBeVisible()
  await choose('Closed')
  await dialog().getByRole('button', { name: 'Preview' }).click()
  await expect.element(dialog().getByRole('button', { name: 'Apply to 10' })).toBeVisible()
  expect(sentTo('POST /bulk-reviews/previews').map(({ body }) => body)).toMatchObject([
    { reasonCode: 'out_of_scope' },
    { reasonCode: 'closed' },
  ])
  expect(sentTo('POST /bulk-reviews')).toEqual([])
})

test('a second Enter, or one that is held, does not confirm a preview that was just shown', async () => {
  const { sentTo } = fake({ 'POST /bulk-reviews/previews': preview('p1') })
  await show('assign', { ids: ['1', '2'] })
  dialog().getByRole('button', { name: 'Preview' }).element().focus()
  // A held key repeats, so the moment does not end before it is released.
  const held = setInterval(() => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' })), 50)
  await userEvent.keyboard('{Enter}')
  const apply = dialog().getByRole('button', { name: 'Apply to 10' })
  await expect.element(apply).toBeVisible()
  await userEvent.keyboard('{Enter}{Control>}{Enter}{/Control}')
  await expect.element(apply).toBeDisabled()
  expect(sentTo('POST /bulk-reviews')).toEqual([])
  clearInterval(held)
  await expect.element(apply).toBeEnabled()
  await expect.element(apply).toHaveFocus()
  expect(sentTo('POST /bulk-reviews')).toEqual([])
})

test('the result and Undo arrive also if the dialog was closed before the end', async () => {
  const running = heldAnswer()
  fake({
    'POST /bulk-reviews/previews': preview('p1'),
    'POST /bulk-reviews': bulk('b1', 'queued'),
    'GET /bulk-reviews/b1': running.answer,
  })
  await show('assign', { ids: ['1', '2'] })
  await dialog().getByRole('button', { name: 'Preview' }).click()
  await dialog().getByRole('button', { name: 'Apply to 10' }).click()
  await expect.element(dialog().getByText('Working…')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog()).not.toBeInTheDocument()
  running.send(bulk('b1', 'done'))
  await expect.element(page.getByText(/^Assign: the 2 selected prospects\. 2 prospects changed\./)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  expect(close).toHaveBeenCalledOnce()
})
