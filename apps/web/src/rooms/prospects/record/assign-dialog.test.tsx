import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { businessOf } from '../../../../test/business.ts'
import { fakeApi, json, problem } from '../../../../test/fake-api.ts'
import { renderInApp } from '../../../../test/render.tsx'
import { until } from '../../../../test/until.ts'
import { DialogSlot } from '../../../ui/dialogs/dialog-slot.tsx'
import { OverPage, showOverPage } from '../../../ui/dialogs/over-page.tsx'
import { AssignDialog } from './assign-dialog.tsx'

const business = businessOf({ version: 3 })
const editing = 'PATCH /businesses/b1'

afterEach(() => showOverPage(null))

test('a person is assigned by keyboard; if someone else assigned another first, both are shown', async () => {
  const theirs = { ...business, version: 4, assignee: { id: 'c', name: 'Cleo' } }
  const items = [{ id: 'b', name: 'Ben' }, theirs.assignee]
  const noPage = { limit: 200, returned: 0, nextCursor: null, total: null }
  const { sentTo } = fakeApi({
    'GET /assignees': json({ items, page: noPage }),
    'GET /businesses/b1': json(theirs),
    'GET /businesses/b1/activity': json({ items: [], page: noPage }),
    [editing]: problem(412, 'version_conflict', { currentVersion: 4 }),
  })
  const close = vi.fn()
  await renderInApp(
    <>
      <DialogSlot>
        <AssignDialog business={business} close={close} reopen={() => {}} />
      </DialogSlot>
      <OverPage />
    </>,
  )
  await expect.element(page.getByRole('combobox', { name: 'Assignee of Karoo Solar' })).toHaveFocus()
  await userEvent.keyboard('Ben{Enter}')
  await until(() => expect(close).toHaveBeenCalled())
  expect(sentTo(editing).map(({ body }) => body)).toEqual([{ assigneeId: 'b' }])
  await expect.element(page.getByText('This record changed while you were editing')).toBeVisible()
  await expect.element(page.getByRole('radio', { name: /Cleo/ })).toBeVisible()
})
