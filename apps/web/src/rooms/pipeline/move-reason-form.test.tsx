import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { connectionLost, fakeApi, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { pendingMoves, setPendingMoves } from '../../ui/prospects/pending-moves.ts'
import { MoveReasonForm } from './move-reason-form.tsx'

const move = { businessId: 'b1', name: 'Karoo Solar', from: 'won', to: 'negotiation', version: 4 } as const
const moving = 'POST /businesses/b1/pipeline-transitions'
const moved = {
  business: { id: 'b1', name: 'Karoo Solar', version: 5, pipelineState: 'negotiation' },
  transition: { id: 't1' },
}
const session = sessionOf({ permissions: ['pipeline.move'] })
const done = vi.fn()
const reason = page.getByRole('textbox', { name: /^Reason/ })
const alert = page.getByRole('form').getByRole('alert')

const form = (asks: 'required' | 'optional') => (
  <MoveReasonForm move={move} label="Reopen" asks={asks} moved={done} cancel={() => {}} reopen={() => {}} />
)

beforeEach(() => setPendingMoves([]))
afterEach(() => {
  setPendingMoves([])
  done.mockReset()
  localStorage.clear()
})

test('a required reason is requested before anything is sent', async () => {
  const { sent } = fakeApi()
  await renderInApp(form('required'), { session })
  await expect.element(reason).toHaveFocus()
  await page.getByRole('button', { name: 'Reopen' }).click()
  await expect.element(page.getByText('Enter a reason. The reason is stored in the history.')).toBeVisible()
  await expect.element(reason).toHaveFocus()
  expect(sent).toEqual([])
})

test('a refusal is shown in the form with the state in which the prospect is, and the reason is kept', async () => {
  fakeApi({ [moving]: problem(422, 'transition_not_allowed', { detail: 'Not from there.' }) })
  await renderInApp(form('optional'), { session })
  await reason.fill('They called back')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect
    .element(alert)
    .toMatchTextContent('A prospect cannot move from Won to Negotiation. This prospect is still in Won.')
  await expect.element(reason).toHaveValue('They called back')
  expect(pendingMoves()).toEqual([])
  expect(done).not.toHaveBeenCalled()
})

test('a reason that the server requires becomes required', async () => {
  fakeApi({ [moving]: problem(422, 'reason_required', { detail: 'A reason is required.' }) })
  await renderInApp(form('optional'), { session })
  await page.getByRole('button', { name: 'Reopen' }).click()
  await expect.element(alert).toMatchTextContent('This move needs a reason.')
  await expect.element(reason).toBeRequired()
})

test('a move without an answer is sent again as a request of its own, because a colleague may have moved the prospect back', async () => {
  const { sentTo } = fakeApi({ [moving]: [connectionLost, json(moved)] })
  await renderInApp(form('required'), { session })
  await reason.fill('They called back')
  await page.getByRole('button', { name: 'Reopen' }).click()
  await expect.element(alert).toMatchTextContent('May not be done')
  await page.getByRole('button', { name: 'Reopen' }).click()
  await expect.poll(() => done.mock.calls.length).toBe(1)
  const [first, second] = sentTo(moving).map(({ headers }) => headers.get('idempotency-key'))
  expect(first).not.toBe(second)
  await expect.element(page.getByText('Karoo Solar moved to Negotiation')).toBeVisible()
})

test('a reason typed before the form opened replaces an older draft and survives a failed move', async () => {
  fakeApi({ [moving]: connectionLost })
  const withReason = (key: string, typed: string) => (
    <MoveReasonForm
      key={key}
      move={move}
      label="Reopen"
      asks="required"
      initialReason={typed}
      moved={done}
      cancel={() => {}}
      reopen={() => {}}
    />
  )
  const { show } = await renderInApp(withReason('draft', ''), { session })
  await reason.fill('Older draft')
  show(withReason('typed', 'They called back'))
  await expect.element(reason).toHaveValue('They called back')
  await page.getByRole('button', { name: 'Reopen' }).click()
  await expect.element(alert).toMatchTextContent('May not be done')
  show(withReason('opened again', ''))
  await expect.element(reason).toHaveValue('They called back')
})
