import { type Business, editBusiness, type Pipeline } from '@prospect/api-client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { connectionLost, fakeApi, heldAnswer, json, problem } from '../../../../test/fake-api.ts'
import { renderInApp } from '../../../../test/render.tsx'
import { sessionOf } from '../../../../test/session.ts'
import { until } from '../../../../test/until.ts'
import { ifMatch } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { takeUndo } from '../../../ui/forms/undo.ts'
import { pendingMoves, setPendingMoves, storedMovesKey } from '../../../ui/prospects/pending-moves.ts'
import { ShownState } from '../../../ui/prospects/shown-state.tsx'
import { quickReasons } from '../move-words.ts'
import { delayMove, moveNow } from './delayed-moves.tsx'
import { LeftMoves } from './left-moves.tsx'
import { MoveNotice } from './move-notice.tsx'
import { storeMoves } from './stored-moves.ts'

const business: Partial<Business> = { id: 'b1', version: 4, name: 'Karoo Solar', pipelineState: 'new' }
const other = { ...business, id: 'b2', name: 'Vaal Water' }
const moved = { business: { ...business, version: 5, pipelineState: 'contacted' }, transition: null }
const moving = 'POST /businesses/b1/pipeline-transitions'
const key = storedMovesKey('user-1', 'tenant-1')
const pipeline: Partial<Pipeline> = { states: [], transitions: [] }
const session = sessionOf({ permissions: ['pipeline.move', 'businesses.write'] })

const shown = (
  <>
    <section aria-label="State">
      <ShownState businessId="b1" state="new" />
    </section>
    <MoveNotice business={business as Business} />
  </>
)
const wanted = { businessId: 'b1', name: 'Karoo Solar', from: 'new', to: 'contacted', version: 4 } as const
const state = page.getByLabelText('State')
const undo = page.getByRole('button', { name: 'Undo' })
const dismiss = page.getByRole('button', { name: 'Dismiss' })
const toast = page.getByRole('alert')
const notice = page.getByRole('region', { name: 'Move that is not recorded' })

beforeEach(() => setPendingMoves([]))
afterEach(() => {
  setPendingMoves([])
  while (takeUndo() !== undefined);
})

test('a move is shown as pending and is not sent while it can be undone; Undo removes it', async () => {
  const { sent } = fakeApi({ 'GET /pipeline': json(pipeline) })
  const { queryClient } = await renderInApp(shown, { session })
  await delayMove(queryClient, wanted, quickReasons.record)
  await expect.element(state).toHaveTextContent('Moving to Contacted…')
  await expect.element(toast).toMatchTextContent('Karoo Solar: moving to Contacted…')
  expect(sessionStorage.getItem(key)).toContain('"version":4')
  await undo.click()
  await expect.element(state).toHaveTextContent('New')
  await expect.element(toast).not.toBeInTheDocument()
  expect(sessionStorage.getItem(key)).toBeNull()
  expect(sent).toEqual([])
})

test('Ctrl+Z undoes a move that was not sent', async () => {
  const { sent } = fakeApi()
  const { queryClient } = await renderInApp(shown, { session })
  await delayMove(queryClient, wanted, quickReasons.record)
  takeUndo()?.undo()
  await expect.element(state).toHaveTextContent('New')
  expect(sent).toEqual([])
})

test('a move is sent after six seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const { sentTo } = fakeApi({ [moving]: json(moved) })
    const { queryClient } = await renderInApp(shown, { session })
    await delayMove(queryClient, wanted, quickReasons.record)
    vi.advanceTimersByTime(5_999)
    expect(sentTo(moving)).toEqual([])
    vi.advanceTimersByTime(1)
    await until(() => expect(sentTo(moving)).toHaveLength(1))
  } finally {
    vi.useRealTimers()
  }
  await until(() => expect(pendingMoves()).toEqual([]))
})

test('closing the toast sends the move once, and it counts as recorded only after the response', async () => {
  const { answer, send } = heldAnswer()
  const { sentTo } = fakeApi({ [moving]: answer })
  const { queryClient } = await renderInApp(shown, { session })
  await delayMove(queryClient, wanted, quickReasons.record)
  await dismiss.click()
  await until(() => expect(sentTo(moving)).toHaveLength(1))
  await expect.element(state).toHaveTextContent('Moving to Contacted…')
  await expect.element(undo).not.toBeInTheDocument()
  send(json(moved))
  await expect.element(toast).toMatchTextContent('Karoo Solar moved to Contacted')
  expect(sentTo(moving).map(({ body }) => body)).toEqual([{ to: 'contacted', reason: quickReasons.record }])
  expect(pendingMoves()).toEqual([])
  expect(sessionStorage.getItem(key)).toBeNull()
})

test('another change of the same record waits for the response to the move; a change of another record does not', async () => {
  const { answer, send } = heldAnswer()
  const edited = { 'PATCH /businesses/b1': json(business), 'PATCH /businesses/b2': json(other) }
  const { sent } = fakeApi({ [moving]: answer, ...edited })
  const { queryClient } = await renderInApp(shown, { session })
  await delayMove(queryClient, wanted, quickReasons.record)
  const edit = (businessId: string) =>
    dataOf(editBusiness({ path: { businessId }, body: { industry: 'Solar' }, ...ifMatch(4) }))
  await edit('b2')
  const first = edit('b1')
  await until(() => expect(sent).toHaveLength(2))
  send(json(moved))
  await first
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'PATCH /businesses/b2',
    moving,
    'PATCH /businesses/b1',
  ])
})

test('a second move of a record sends the first one before', async () => {
  const { sentTo } = fakeApi({ [moving]: json(moved) })
  const { queryClient } = await renderInApp(shown, { session })
  await delayMove(queryClient, wanted, quickReasons.record)
  await delayMove(queryClient, { ...wanted, from: 'contacted', to: 'qualified' }, quickReasons.board)
  await expect.element(state).toHaveTextContent('Moving to Qualified…')
  expect(sentTo(moving).map(({ body }) => body)).toEqual([{ to: 'contacted', reason: quickReasons.record }])
})

test('leaving the page sends waiting moves, and the browser delivers them after the page is gone', async () => {
  const { sentTo } = fakeApi({ [moving]: json(moved) })
  const fetched = vi.spyOn(globalThis, 'fetch')
  const { queryClient } = await renderInApp(shown, { session })
  await delayMove(queryClient, wanted, quickReasons.record)
  window.dispatchEvent(new Event('pagehide'))
  await until(() => expect(sentTo(moving)).toHaveLength(1))
  const request = fetched.mock.calls.map(([input]) => input).find((input) => input instanceof Request)
  expect(request).toMatchObject({ keepalive: true })
  expect(sentTo(moving)[0]?.headers.get('x-csrf-token')).toBe('token-1')
  await until(() => expect(pendingMoves()).toEqual([]))
})

test('a rejection stays on the record until it is dismissed', async () => {
  const refused = problem(422, 'transition_not_allowed', { detail: 'From qualified it cannot go to contacted.' })
  fakeApi({ [moving]: refused })
  const { queryClient } = await renderInApp(shown, { session })
  await delayMove(queryClient, wanted, quickReasons.record)
  await dismiss.click()
  await expect.element(notice).toMatchTextContent('Not moved to Contacted. From qualified it cannot go to contacted.')
  await expect.element(state).toHaveTextContent('New')
  await expect.element(toast).toMatchTextContent('Not moved: Karoo Solar')
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await expect.element(notice).not.toBeInTheDocument()
})

test('a move without a response is sent again with the same key, on request only', async () => {
  const { sentTo } = fakeApi({ [moving]: [connectionLost, json(moved)] })
  const { queryClient } = await renderInApp(shown, { session })
  await delayMove(queryClient, wanted, quickReasons.record)
  await dismiss.click()
  await expect.element(notice).toMatchTextContent('we do not know whether the prospect moved')
  await notice.getByRole('button', { name: 'Send again' }).click()
  await expect.element(toast).toMatchTextContent('Karoo Solar moved to Contacted')
  const [first, second] = sentTo(moving).map(({ headers }) => headers.get('idempotency-key'))
  expect(first).toBe(second)
})

test('after a reload an unsaved move is offered, and is sent on request only', async () => {
  const { sentTo, sent } = fakeApi({ 'GET /businesses/b1': json({ ...business, version: 6 }), [moving]: json(moved) })
  sessionStorage.setItem(key, JSON.stringify([{ ...wanted, key: 'kept-key', phase: 'waiting', words: '' }]))
  await renderInApp(
    <>
      {shown}
      <LeftMoves />
    </>,
    { session },
  )
  await expect.element(toast).toMatchTextContent('The move to Contacted was not saved.')
  await expect.element(toast).toMatchTextContent('the record was changed since')
  expect(sent.filter(({ method }) => method !== 'GET')).toEqual([])
  await toast.getByRole('button', { name: 'Send again' }).click()
  await until(() => expect(sentTo(moving)).toHaveLength(1))
  expect(sentTo(moving)[0]?.headers.get('idempotency-key')).toBe('kept-key')
  await until(() => expect(sessionStorage.getItem(key)).toBeNull())
})

test('after a reload a recorded move whose response was lost is dropped', async () => {
  fakeApi({ 'GET /businesses/b1': json({ ...business, pipelineState: 'contacted' }) })
  sessionStorage.setItem(key, JSON.stringify([{ ...wanted, key: 'kept-key', phase: 'sending', words: '' }]))
  await renderInApp(<LeftMoves />, { session })
  await until(() => expect(sessionStorage.getItem(key)).toBeNull())
  await expect.element(toast).not.toBeInTheDocument()
  expect(pendingMoves()).toEqual([])
})

test('stored moves of an unknown form are dropped', async () => {
  sessionStorage.setItem(key, '[{"businessId":"b1","to":"elsewhere"},7,{"key":"x"}]')
  fakeApi()
  await renderInApp(<LeftMoves />, { session })
  expect(pendingMoves()).toEqual([])
  storeMoves()
  expect(sessionStorage.getItem(key)).toBeNull()
})

test('the keyboard reaches Undo in the toast', async () => {
  fakeApi()
  const { queryClient } = await renderInApp(shown, { session })
  await delayMove(queryClient, wanted, quickReasons.record)
  await expect.element(undo).toBeVisible()
  undo.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(state).toHaveTextContent('New')
})

const reasoned = { ...wanted, reason: 'They called back', key: 'key-of-form' }
const transition = { id: 't1' }

test('a move with a reason is sent at once, is shown as pending until the response, and cannot be undone', async () => {
  const { answer, send } = heldAnswer()
  const { sentTo } = fakeApi({ [moving]: answer })
  const { queryClient } = await renderInApp(shown, { session })
  const done = moveNow(queryClient, reasoned, () => true)
  await expect.element(state).toHaveTextContent('Moving to Contacted…')
  await until(() => expect(sentTo(moving)).toHaveLength(1))
  await expect.element(undo).not.toBeInTheDocument()
  expect(takeUndo()).toBeUndefined()
  expect(sessionStorage.getItem(key)).toContain('They called back')
  send(json({ ...moved, transition }))
  await done
  expect(sentTo(moving).map(({ body, headers }) => [body, headers.get('idempotency-key')])).toEqual([
    [{ to: 'contacted', reason: 'They called back' }, 'key-of-form'],
  ])
  await expect.element(toast).toMatchTextContent('Karoo Solar moved to Contacted')
  expect(pendingMoves()).toEqual([])
  expect(sessionStorage.getItem(key)).toBeNull()
})

test('a move with a reason that was made already says that the earlier reason is kept', async () => {
  fakeApi({ [moving]: json(moved) })
  const { queryClient } = await renderInApp(shown, { session })
  await moveNow(queryClient, reasoned, () => true)
  await expect
    .element(toast)
    .toMatchTextContent('Karoo Solar was already in Contacted. The earlier reason is kept, and yours was not stored.')
})

test('a refusal is left to the form while it is shown', async () => {
  fakeApi({ [moving]: problem(422, 'transition_not_allowed', { detail: 'Not from there.' }) })
  const { queryClient } = await renderInApp(shown, { session })
  await expect(moveNow(queryClient, reasoned, () => true)).rejects.toMatchObject({ code: 'transition_not_allowed' })
  await expect.element(state).toHaveTextContent('New')
  await expect.element(notice).not.toBeInTheDocument()
  await expect.element(toast).not.toBeInTheDocument()
  expect(pendingMoves()).toEqual([])
})

test('a late answer to a closed form stays on the record, and the move is sent again with its reason and key', async () => {
  const { sentTo } = fakeApi({ [moving]: [connectionLost, json({ ...moved, transition })] })
  const { queryClient } = await renderInApp(shown, { session })
  await expect(moveNow(queryClient, reasoned, () => false)).rejects.toThrow()
  await expect.element(notice).toMatchTextContent('we do not know whether the prospect moved')
  await expect.element(state).toHaveTextContent('New')
  await notice.getByRole('button', { name: 'Send again' }).click()
  await expect.element(toast).toMatchTextContent('Karoo Solar moved to Contacted')
  const [first, second] = sentTo(moving).map(({ body, headers }) => [body, headers.get('idempotency-key')])
  expect(first).toEqual([{ to: 'contacted', reason: 'They called back' }, 'key-of-form'])
  expect(second).toEqual(first)
})

test('a move with a reason waits for the earlier move of its record, whose failure stays if it is refused too', async () => {
  const refused = problem(422, 'transition_not_allowed', { detail: 'Not from there.' })
  const { sentTo } = fakeApi({ [moving]: refused })
  const { queryClient } = await renderInApp(shown, { session })
  await delayMove(queryClient, wanted, quickReasons.record)
  await expect(moveNow(queryClient, { ...reasoned, to: 'won' }, () => true)).rejects.toThrow()
  expect(sentTo(moving).map(({ body }) => body)).toEqual([
    { to: 'contacted', reason: quickReasons.record },
    { to: 'won', reason: 'They called back' },
  ])
  await expect.element(notice).toMatchTextContent('Not moved to Contacted. Not from there.')
})

test('after a reload a move with a reason is sent again with the reason', async () => {
  const { sentTo } = fakeApi({ 'GET /businesses/b1': json(business), [moving]: json({ ...moved, transition }) })
  sessionStorage.setItem(key, JSON.stringify([{ ...reasoned, phase: 'sending', words: '' }]))
  await renderInApp(<LeftMoves />, { session })
  await toast.getByRole('button', { name: 'Send again' }).click()
  await until(() => expect(sentTo(moving)).toHaveLength(1))
  expect(sentTo(moving)[0]?.body).toEqual({ to: 'contacted', reason: 'They called back' })
  await until(() => expect(pendingMoves()).toEqual([]))
})
