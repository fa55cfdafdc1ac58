import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { businessOf } from '../../../../test/business.ts'
import { fakeApi, json } from '../../../../test/fake-api.ts'
import { renderInApp } from '../../../../test/render.tsx'
import { until } from '../../../../test/until.ts'
import { DialogSlot } from '../../../ui/dialogs/dialog-slot.tsx'
import { TagsDialog } from './tags-dialog.tsx'

const business = businessOf({ version: 3, tags: ['farm'] })
const editing = 'PATCH /businesses/b1'

test('Enter adds a tag, Enter again saves the tags and closes the dialog', async () => {
  const { sentTo } = fakeApi({
    'GET /businesses/tags': json({ items: [], page: { limit: 20, returned: 0, nextCursor: null, total: null } }),
    [editing]: json({ ...business, version: 4, tags: ['farm', 'solar'] }),
  })
  const close = vi.fn()
  await renderInApp(
    <DialogSlot>
      <TagsDialog business={business} close={close} reopen={() => {}} />
    </DialogSlot>,
  )
  await expect.element(page.getByRole('combobox', { name: 'Tags of Karoo Solar' })).toHaveFocus()
  await userEvent.keyboard('solar{Enter}')
  await expect.element(page.getByText('solar')).toBeVisible()
  expect(close).not.toHaveBeenCalled()
  await userEvent.keyboard('{Enter}')
  await until(() => expect(close).toHaveBeenCalled())
  expect(sentTo(editing).map(({ body }) => body)).toEqual([{ tags: ['farm', 'solar'] }])
})
