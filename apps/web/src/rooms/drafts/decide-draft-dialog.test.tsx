import type { Draft } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { DialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { DecideDraftDialog } from './decide-draft-dialog.tsx'

test.each(['approve', 'reject'] as const)(
  'a reason to %s a text does not appear for the next text',
  async (decision) => {
    fakeApi()
    const dialogFor = (contentHash: string) => (
      <DialogSlot>
        <DecideDraftDialog
          key={contentHash}
          draft={{ id: 'd1', title: 'First email', contentHash, snapshotHash: 's1' } as Draft}
          decision={decision}
          close={() => {}}
          reopen={() => {}}
        />
      </DialogSlot>
    )
    const reason = page.getByRole('textbox', { name: 'Reason' })
    const { show } = await renderInApp(dialogFor('first text'))
    await userEvent.fill(reason, 'The price is right.')
    show(dialogFor('second text'))
    await expect.element(reason).toHaveValue('')
  },
)
