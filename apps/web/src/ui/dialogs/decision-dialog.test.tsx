import { Button, Checkbox } from '@mantine/core'
import { removeSuppression } from '@prospect/api-client'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { connectionLost, fakeApi, heldAnswer, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { withKey } from '../api/client.ts'
import { dataOf } from '../api/data-of.ts'
import { DecisionDialog } from './decision-dialog.tsx'
import { DialogSlot } from './dialog-slot.tsx'
import { useDialog } from './use-dialog.tsx'

vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-28T10:00:00Z') })

const removal = 'POST /suppressions/entry-1/removal'
const path = { suppressionId: 'entry-1' }

type DecidedNow = (answer: unknown, isHere: boolean) => void

function Harness({ decided = () => {}, isUndoable = false }: { decided?: DecidedNow; isUndoable?: boolean }) {
  const removing = useDialog()
  return (
    <>
      <Button onClick={() => removing.open()}>Remove…</Button>
      {removing.slot((_, dialog) => (
        <DecisionDialog
          draftName="removal-entry-1"
          title="Remove entry?"
          label="Remove entry"
          reason="Stored in the history"
          next="It can be added again."
          isUndoable={isUndoable}
          send={({ reason }, key) => dataOf(removeSuppression({ path, body: { reason }, ...withKey(key) }))}
          decided={(answer, isHere) => {
            decided(answer, isHere)
            dialog.close()
          }}
          {...dialog}
        />
      ))}
    </>
  )
}

const dialog = page.getByRole('dialog', { name: 'Remove entry?' })
const reason = page.getByRole('textbox', { name: 'Reason' })
const open = async () => {
  await page.getByRole('button', { name: 'Remove…' }).click()
  await expect.element(reason).toHaveFocus()
}
const confirm = () => page.getByRole('button', { name: 'Remove entry' }).click()

test('a blank reason is rejected beside the field, which gets the focus; nothing is sent', async () => {
  const { sent } = fakeApi()
  await renderInApp(<Harness />)
  await open()
  await userEvent.fill(reason, '   ')
  await confirm()
  await expect.element(reason).toHaveFocus()
  await expect.element(reason).toHaveAccessibleDescription(/Enter a reason\./)
  await expect.element(reason).toHaveAttribute('aria-invalid', 'true')
  expect(sent).toEqual([])
  await userEvent.type(reason, 'x')
  await expect.element(reason).not.toHaveAttribute('aria-invalid', 'true')
})

test('Ctrl+Enter sends the reason; the caller gets the response and the draft is deleted', async () => {
  const { sentTo } = fakeApi({ [removal]: json({ done: true }) })
  const decided = vi.fn()
  await renderInApp(<Harness decided={decided} />)
  await open()
  await userEvent.type(reason, 'Asked for it')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(decided).toHaveBeenCalledWith({ done: true }, true)
  expect(sentTo(removal).map(({ body }) => body)).toEqual([{ reason: 'Asked for it' }])
  expect(sessionStorage).toHaveLength(0)
  await expect.element(page.getByRole('button', { name: 'Remove…' })).toHaveFocus()
})

test('Escape stores the text as a draft, and the dialog restores it', async () => {
  await renderInApp(<Harness />)
  await open()
  await userEvent.type(reason, 'Half a rea')
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Remove…' })).toHaveFocus()
  await open()
  await expect.element(reason).toHaveValue('Half a rea')
  await expect.element(reason).toHaveAccessibleDescription(/Unsaved draft/)
})

test('Cancel discards the text, and Undo opens the dialog with it', async () => {
  await renderInApp(<Harness />)
  await open()
  await userEvent.type(reason, 'Half a reason')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(sessionStorage).toHaveLength(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(reason).toHaveValue('Half a reason')
})

test('an error stays in the dialog with the text; a field error appears beside its field', async () => {
  const errors = [{ path: 'reason', code: 'too_long', message: 'The reason is too long.' }]
  fakeApi({
    [removal]: [
      problem(409, 'conflict', { detail: 'Somebody removed it.' }),
      problem(400, 'invalid_request', { errors }),
    ],
  })
  await renderInApp(<Harness />)
  await open()
  await userEvent.type(reason, 'Asked for it')
  await confirm()
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('Somebody removed it.')
  await expect.element(reason).toHaveValue('Asked for it')
  await confirm()
  await expect.element(reason).toHaveAccessibleDescription(/The reason is too long\./)
  await expect.element(dialog.getByRole('alert')).not.toBeInTheDocument()
})

test('a retry after a lost connection carries the same key', async () => {
  const { sentTo } = fakeApi({ [removal]: [connectionLost, json({})] })
  await renderInApp(<Harness />)
  await open()
  await userEvent.type(reason, 'Asked for it')
  await confirm()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  await confirm()
  await expect.element(dialog).not.toBeInTheDocument()
  const keys = sentTo(removal).map(({ headers }) => headers.get('idempotency-key'))
  expect(keys).toHaveLength(2)
  expect(keys[0]).toBe(keys[1])
})

test('a retry of a change that others can undo carries a new key', async () => {
  const { sentTo } = fakeApi({ [removal]: [connectionLost, json({})] })
  await renderInApp(<Harness isUndoable />)
  await open()
  await userEvent.type(reason, 'Asked for it')
  await confirm()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  await confirm()
  await expect.element(dialog).not.toBeInTheDocument()
  const keys = sentTo(removal).map(({ headers }) => headers.get('idempotency-key'))
  expect(keys[0]).not.toBe(keys[1])
})

test('while the request is pending the field is read-only and Escape does not close the dialog', async () => {
  const { answer, send } = heldAnswer()
  fakeApi({ [removal]: answer })
  await renderInApp(<Harness />)
  await open()
  await userEvent.type(reason, 'Asked for it')
  await confirm()
  await expect.element(reason).toHaveAttribute('readonly')
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).toBeVisible()
  send(json({}))
  await expect.element(dialog).not.toBeInTheDocument()
})

test('an error that arrives after the user left appears as a notification', async () => {
  const { answer, send } = heldAnswer()
  fakeApi({ [removal]: answer })
  const { show } = await renderInApp(<Harness />)
  await open()
  await userEvent.type(reason, 'Asked for it')
  await confirm()
  await expect.element(reason).toHaveAttribute('readonly')
  show(<p>Elsewhere</p>)
  await expect.element(page.getByText('Elsewhere')).toBeVisible()
  send(problem(409, 'conflict', { detail: 'Somebody removed it.' }))
  await expect.element(page.getByText('Not done: Remove entry')).toBeVisible()
  await expect.element(page.getByText(/Somebody removed it\./)).toBeVisible()
})

type Decision = { draftName: string; term: { usualDays: number; maxDays: number } | null }

const sentDecision = vi.fn(async (_values: unknown) => ({}))
const decisionOf = ({ draftName, term }: Decision) => (
  <DialogSlot>
    <DecisionDialog
      draftName={draftName}
      title="Approve the site?"
      label="Approve"
      reason="Stored with the site"
      next="Contacts are read from it."
      done="The site is approved."
      term={term}
      extra={{
        initial: { isShared: false },
        validate: ({ isShared }): Record<string, string> => (isShared ? {} : { isShared: 'Confirm it.' }),
        fields: ({ form }) => (
          <Checkbox label="Used by others" {...form.getInputProps('isShared', { type: 'checkbox' })} />
        ),
      }}
      send={sentDecision}
      close={() => {}}
      reopen={() => {}}
    />
  </DialogSlot>
)
const term = { usualDays: 60, maxDays: 90 }

test('a decision with an end and a further field sends the end of its last day in the zone of the workspace', async () => {
  fakeApi()
  await renderInApp(decisionOf({ draftName: 'approve-1', term }))
  await userEvent.fill(reason, 'It is theirs')
  await userEvent.fill(page.getByRole('textbox', { name: 'Ends on' }), '2020-01-01')
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect.element(page.getByRole('textbox', { name: 'Ends on' })).toHaveAttribute('aria-invalid', 'true')
  await expect.element(page.getByText('Confirm it.')).toBeVisible()
  expect(sentDecision).not.toHaveBeenCalled()
  await userEvent.fill(page.getByRole('textbox', { name: 'Ends on' }), '2027-01-15')
  await page.getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect.element(page.getByText('The site is approved.')).toBeVisible()
  expect(sentDecision.mock.calls[0]?.[0]).toEqual({
    reason: 'It is theirs',
    isShared: true,
    endsAt: '2027-01-15T21:59:59.999Z',
  })
})

test('the reason of one decision does not appear in another, even if one replaces the other while the dialog is open', async () => {
  fakeApi()
  const first = decisionOf({ draftName: 'approve-1', term: null })
  const { show } = await renderInApp(first)
  await userEvent.fill(reason, 'It is theirs')
  show(decisionOf({ draftName: 'approve-2', term: null }))
  await expect.element(reason).toHaveValue('')
  show(first)
  await expect.element(reason).toHaveValue('It is theirs')
})
