import type { Draft, DraftCopy } from '@prospect/api-client'
import { afterEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { connectionLost, fakeApi, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { noteServerDate } from '../../ui/api/server-clock.ts'
import { CopyApproved } from './copy-approved.tsx'

const hash = 'a'.repeat(64)
const cap = (used: number) => ({ used, most: 2, freeAt: null })
const draftWith = (used: number) =>
  ({
    id: 'd1',
    version: 1,
    rendered: { subject: 'Pumps', text: 'Good day.' },
    contentHash: hash,
    snapshotHash: hash,
    caps: { recipient: cap(used), person: cap(0), tenant: cap(0) },
    contactHours: { status: 'allowed', reason: '', nextAt: null, calendarVersion: 'za-1', isRefused: false },
    versions: { policy: 'za/email/1', suggestion: null, provider: null, assistPolicy: null },
  }) as unknown as Draft
const released = json({ subject: 'Pumps', text: 'Good day.', textWithheld: null, label: null } as DraftCopy, 201)
const copying = 'POST /drafts/d1/copies'
const session = sessionOf({ permissions: ['drafts.copy'] })

let restore = () => {}
afterEach(() => {
  restore()
  noteServerDate(new Date().toISOString(), 0)
})

/** Replaces the clipboard of the browser; undefined is that of a page over plain HTTP. */
function replaceClipboard(clipboard: Partial<Clipboard> | undefined): void {
  restore()
  const { prototype } = Navigator
  const own = Object.getOwnPropertyDescriptor(prototype, 'clipboard')
  if (own === undefined) throw new Error('This browser has no clipboard to replace.')
  if (clipboard === undefined) Reflect.deleteProperty(prototype, 'clipboard')
  else Object.defineProperty(prototype, 'clipboard', { get: () => clipboard, configurable: true })
  restore = () => Object.defineProperty(prototype, 'clipboard', own)
}

/** A clipboard that takes what is written, also a text that arrives later, as the browser does during a press. */
function grantClipboard(): string[] {
  const texts: string[] = []
  const write = async ([item]: ClipboardItem[]) => {
    if (item === undefined) throw new Error('Nothing was written.')
    texts.push(await (await item.getType('text/plain')).text())
  }
  replaceClipboard({ write, writeText: async (text) => void texts.push(text) })
  return texts
}

const refusal = async () => {
  throw new DOMException('The page may not write to the clipboard.', 'NotAllowedError')
}

const press = (name: string) => page.getByRole('button', { name }).click()
const keys = (sent: { headers: Headers }[]) => new Set(sent.map(({ headers }) => headers.get('idempotency-key')))
const shown = (used: number, key = 'open') => <CopyApproved key={key} draft={draftWith(used)} />

describe('copy of an approved text', () => {
  test.each([
    [false, 'The policy permits the copy, but calls are not allowed now.'],
    [true, 'The policy refuses copies outside of contact hours.'],
  ])('outside of contact hours the copy warns; the policy refuses: %s', async (isRefused, words) => {
    const hours = { status: 'not_now', reason: 'Sunday', nextAt: '2026-11-30T06:00:00.000Z', calendarVersion: 'za-1' }
    noteServerDate('2026-11-29T09:00:00Z', 0)
    const draft = { ...draftWith(0), contactHours: { ...hours, isRefused } } as Draft
    await renderInApp(<CopyApproved draft={draft} />, { session })
    await expect.element(page.getByRole('note')).toHaveTextContent(`Not now: Sunday. From Monday 08:00. ${words}`)
  })

  test('one press puts subject and text on the clipboard; further parts repeat the same release, which counts once', async () => {
    const texts = grantClipboard()
    const { sentTo } = fakeApi({ [copying]: released })
    await renderInApp(shown(0), { session })
    await expect.element(page.getByText(/Copying does not send anything\. Copies left: 2 of 2 for this/)).toBeVisible()
    await press('Copy subject and text')
    await expect.element(page.getByText('Copied to the clipboard: subject and text.')).toBeVisible()
    expect(texts).toEqual(['Pumps\n\nGood day.'])
    expect(sentTo(copying)[0]?.body).toEqual({
      draftVersion: 1,
      contentHash: hash,
      snapshotHash: hash,
      policyVersion: 'za/email/1',
      suggestionId: null,
      provider: null,
      assistPolicy: null,
    })
    await press('Copy subject only')
    await expect.element(page.getByText('Copied to the clipboard: subject.')).toBeVisible()
    await press('Copy text only')
    await expect.element(page.getByText('Copied to the clipboard: text.')).toBeVisible()
    expect(texts.slice(1)).toEqual(['Pumps', 'Good day.'])
    // The server is asked each time, because the recipient may be suppressed meanwhile. It counts a key once.
    expect(sentTo(copying)).toHaveLength(3)
    expect(keys(sentTo(copying)).size).toBe(1)
  })

  test('the write begins during the press, before the server has answered', async () => {
    const order: string[] = []
    replaceClipboard({ write: async () => void order.push('write'), writeText: refusal })
    const answer = (request: Parameters<typeof released>[0]) => {
      order.push('answer')
      return released(request)
    }
    fakeApi({ [copying]: answer })
    await renderInApp(shown(0), { session })
    await press('Copy text only')
    await expect.element(page.getByText('Copied to the clipboard: text.')).toBeVisible()
    expect(order).toEqual(['write', 'answer'])
  })

  test.each([
    ['refuses', { write: refusal, writeText: refusal }],
    ['is absent, as over plain HTTP,', undefined],
  ])(
    'if the clipboard %s the text is shown, selected for copying by hand, and no press uses a further copy',
    async (_, clipboard) => {
      replaceClipboard(clipboard)
      const { sentTo } = fakeApi({ [copying]: released })
      await renderInApp(shown(0), { session })
      await press('Copy subject and text')
      const field = page.getByRole('textbox', { name: 'Copy this text by hand' })
      await expect.element(field).toHaveValue('Pumps\n\nGood day.')
      await expect.element(field).toHaveFocus()
      expect(document.getSelection()?.toString()).toBe('Pumps\n\nGood day.')
      await press('Copy subject only')
      await expect.element(field).toHaveValue('Pumps')
      const texts = grantClipboard()
      await press('Copy text only')
      await expect.poll(() => texts).toEqual(['Good day.'])
      expect(sentTo(copying)).toHaveLength(3)
      expect(keys(sentTo(copying)).size).toBe(1)
    },
  )

  test('a lost answer is asked for again with the same key', async () => {
    const texts = grantClipboard()
    const { sentTo } = fakeApi({ [copying]: [connectionLost, released] })
    await renderInApp(shown(0), { session })
    await press('Copy text only')
    await expect.element(page.getByRole('alert')).toBeVisible()
    await press('Copy text only')
    await expect.poll(() => texts).toEqual(['Good day.'])
    expect(keys(sentTo(copying)).size).toBe(1)
  })

  test('a refused release copies nothing and shows the reason; the last copy can still be copied in parts', async () => {
    const texts = grantClipboard()
    const { answer } = fakeApi({ [copying]: problem(422, 'cap_reached') })
    const { show } = await renderInApp(shown(1), { session })
    await press('Copy subject and text')
    await expect.element(page.getByRole('alert')).toMatchTextContent('cap_reached.')
    expect(texts).toEqual([])
    answer(copying, released)
    await press('Copy subject only')
    await expect.poll(() => texts).toEqual(['Pumps'])
    show(shown(2))
    await expect
      .element(page.getByText(/Copying again on this page does not count\. Copies left: 0 of 2/))
      .toBeVisible()
    await press('Copy text only')
    await expect.poll(() => texts).toEqual(['Pumps', 'Good day.'])
    // Opened again, the page has no release, and no copy remains.
    show(shown(2, 'opened again'))
    await expect.element(page.getByRole('button', { name: 'Copy text only' })).toBeDisabled()
  })

  test('a text that is suppressed meanwhile is withheld from the next press', async () => {
    const texts = grantClipboard()
    const withheld = json({ subject: null, text: null, textWithheld: 'suppressed', label: null } as DraftCopy, 201)
    fakeApi({ [copying]: [released, withheld] })
    await renderInApp(shown(0), { session })
    await press('Copy subject and text')
    await expect.element(page.getByText('Copied to the clipboard: subject and text.')).toBeVisible()
    await press('Copy text only')
    await expect
      .element(page.getByText('The text cannot be shown: the do-not-contact list blocks the recipient.'))
      .toBeVisible()
    await expect.element(page.getByText(/Copied to the clipboard/)).not.toBeInTheDocument()
    expect(texts).toEqual(['Pumps\n\nGood day.'])
  })
})
