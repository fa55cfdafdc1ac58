import type { Source } from '@prospect/api-client'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sourceOf } from '../../../test/source.ts'
import { DialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { DecideSourceDialog, type Decision } from './decide-source-dialog.tsx'

vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-28T10:00:00Z') })

const reason = page.getByRole('textbox', { name: 'Reason' })

const dialogFor = (decision: Decision, changes: Partial<Source> = {}) => (
  <DialogSlot>
    <DecideSourceDialog
      key={JSON.stringify([decision, changes])}
      source={sourceOf(changes)}
      decision={decision}
      close={() => {}}
      reopen={() => {}}
    />
  </DialogSlot>
)

test('a typed reason belongs to one desk, one version and one decision', async () => {
  fakeApi()
  const legal = dialogFor({ kind: 'approve', desk: 'legal' })
  const { show } = await renderInApp(legal)
  await userEvent.fill(reason, 'The agreement covers this use.')
  const others: [Decision, Partial<Source>?][] = [
    [{ kind: 'approve', desk: 'security' }],
    [{ kind: 'approve', desk: 'product' }],
    [{ kind: 'reject', desk: 'legal' }],
    [{ kind: 'approve', desk: 'legal' }, { contractVersion: 2 }],
    [{ kind: 'revoke', decisionId: 'd1', what: 'the legal approval' }],
    [{ kind: 'enable' }],
  ]
  for (const [decision, changes] of others) {
    show(dialogFor(decision, changes))
    await expect.element(reason, { message: JSON.stringify([decision, changes]) }).toHaveValue('')
  }
  show(legal)
  await expect.element(reason).toHaveValue('The agreement covers this use.')
})

test('the reason to revoke one approval does not appear for another', async () => {
  fakeApi()
  const { show } = await renderInApp(dialogFor({ kind: 'revoke', decisionId: 'd1', what: 'the legal approval' }))
  await userEvent.fill(reason, 'The agreement was cancelled.')
  show(dialogFor({ kind: 'revoke', decisionId: 'd2', what: 'the security approval' }))
  await expect.element(reason).toHaveValue('')
})

test('an approval names the version that was shown, and ends with its last day', async () => {
  const approving = 'POST /sources/s1/approvals'
  const { sentTo } = fakeApi({ [approving]: json(sourceOf()) })
  await renderInApp(dialogFor({ kind: 'approve', desk: 'legal' }, { fingerprint: 'shown' }))
  await userEvent.fill(reason, 'The agreement covers this use.')
  await userEvent.fill(page.getByRole('textbox', { name: 'Ends on' }), '2027-06-01')
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect
    .poll(() => sentTo(approving).map(({ body }) => body))
    .toEqual([
      {
        desk: 'legal',
        decision: 'approve',
        fingerprint: 'shown',
        reason: 'The agreement covers this use.',
        endsAt: '2027-06-01T21:59:59.999Z',
      },
    ])
})
