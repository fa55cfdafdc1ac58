import type { BulkPreview, BulkReview } from '@prospect/api-client'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { type Answer, fakeApi, json } from '../../../../test/fake-api.ts'
import { renderInApp } from '../../../../test/render.tsx'
import { DialogSlot } from '../../../ui/dialogs/dialog-slot.tsx'
import { BulkDialog, type BulkSelection } from './bulk-dialog.tsx'
import type { BulkAction } from './bulk-words.ts'

const preview = (id: string, refused: BulkPreview['refused'] = []) => json({ id, fingerprint: 'f'.repeat(64), refused })
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

test('a small selection without refusals is done in the dialog without a reason, and Undo reverses it', async () => {
  const { sentTo } = fake({
    'POST /bulk-reviews/previews': preview('p1'),
    'POST /bulk-reviews': [bulk('b1', 'queued'), bulk('b2', 'queued')],
    'GET /bulk-reviews/b1': [bulk('b1', 'running'), bulk('b1', 'done')],
    'POST /bulk-reviews/b1/undo-previews': preview('p2'),
  })
  const { router } = await show('assign', { ids: ['1', '2'] })
  await dialog().getByRole('button', { name: 'Assign' }).click()
  await vi.waitFor(() => expect(close).toHaveBeenCalledOnce(), { timeout: 10_000 })
  expect(router.state.location.pathname).toBe('/')
  await expect.element(page.getByText(/^Assign: the 2 selected prospects\. 2 prospects changed\./)).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(page.getByText('Undone. The list follows in a moment.')).toBeVisible()
  const [confirmed, undone] = sentTo('POST /bulk-reviews').map(({ body }) => body)
  expect(confirmed).toEqual({ previewId: 'p1', fingerprint: 'f'.repeat(64) })
  expect(undone).toMatchObject({ previewId: 'p2', reason: 'Undone in the list.' })
})

test('with a refusal, or with more than 50 prospects, the preview opens and nothing is confirmed', async () => {
  const { sentTo } = fake({
    'POST /bulk-reviews/previews': [preview('p1', [{ code: 'suppressed', count: 1, examples: [] }]), preview('p2')],
  })
  const { router, unmount } = await show('assign', { ids: ['1', '2'] })
  await dialog().getByRole('button', { name: 'Assign' }).click()
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/review/previews/p1'))
  await unmount()
  const many = await show('assign', { ids: Array.from({ length: 51 }, (_, index) => String(index)) })
  await dialog().getByRole('button', { name: 'Preview' }).click()
  await vi.waitFor(() => expect(many.router.state.location.pathname).toBe('/review/previews/p2'))
  expect(sentTo('POST /bulk-reviews')).toEqual([])
})

test('a review needs a reason', async () => {
  const { sentTo } = fake({})
  await show('verify', { ids: ['1', '2'] })
  await dialog().getByRole('button', { name: 'Verify' }).click()
  await expect.element(dialog().getByText('Enter a reason. It stays with each change.')).toBeVisible()
  expect(sentTo('POST /bulk-reviews/previews')).toEqual([])
})
