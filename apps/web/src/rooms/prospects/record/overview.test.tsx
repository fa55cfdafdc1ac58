import type { Business } from '@prospect/api-client'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { businessOf, noAddress } from '../../../../test/business.ts'
import { connectionLost, fakeApi, json, problem } from '../../../../test/fake-api.ts'
import { renderInApp } from '../../../../test/render.tsx'
import { sessionOf } from '../../../../test/session.ts'
import { OverPage, showOverPage } from '../../../ui/dialogs/over-page.tsx'
import { takeUndo } from '../../../ui/forms/undo.ts'
import { RecordPageContext } from '../../../ui/rooms/record-page.ts'
import { Overview } from './overview.tsx'

const business = businessOf({
  version: 3,
  updatedAt: '2026-11-02T08:00:00.000Z',
  industry: 'Solar',
  emails: [{ value: 'info@karoo.co.za', label: null, normalized: 'info@karoo.co.za', uncertainty: null }],
  phones: [{ value: '021 555 0101', label: null, region: 'ZA', normalized: '+27215550101', uncertainty: null }],
  address: { ...noAddress, city: 'Worcester', province: 'W. Cape' },
  provinceCode: 'WC',
  tags: ['farm'],
})
const emptyPage = { items: [], page: { limit: 50, returned: 0, nextCursor: null, total: null } }
const reads = {
  'GET /businesses/b1': json(business),
  'GET /businesses/b1/facts': json({ items: [] }),
  'GET /businesses/b1/activity': json(emptyPage),
  'GET /assignees': json(emptyPage),
  'GET /businesses/tags': json(emptyPage),
}
const editing = 'PATCH /businesses/b1'
const session = sessionOf({ permissions: ['businesses.write', 'suppression.read'] })
const recordPage = { actions: [], openTab: () => {}, openForm: () => {}, openDialog: () => {} }
const show = (shown: Business = business) =>
  renderInApp(
    <RecordPageContext value={{ page: recordPage, starts: new Map(), setStart: () => {} }}>
      <Overview business={shown} />
      <OverPage />
    </RecordPageContext>,
    { session },
  )
const edit = (what: string) => page.getByRole('button', { name: `Edit ${what}`, exact: true })
const field = (what: string) => page.getByRole('textbox', { name: `${what} of Karoo Solar` })
const toast = page.getByRole('alert')

afterEach(() => {
  showOverPage(null)
  while (takeUndo() !== undefined);
})

test('Enter saves one field with the version on screen, and Undo takes it back with the new one', async () => {
  const saved = { ...business, version: 4, industry: 'Wind' }
  const { sentTo } = fakeApi({ ...reads, [editing]: [json(saved), json({ ...business, version: 5 })] })
  await show()
  await edit('industry').click()
  await expect.element(field('Industry')).toHaveFocus()
  await userEvent.keyboard('Wind{Enter}')
  await expect.element(toast).toMatchTextContent('Industry of Karoo Solar saved')
  await expect.element(edit('industry')).toHaveFocus()
  expect(sentTo(editing)[0]?.body).toEqual({ industry: 'Wind' })
  expect(sentTo(editing)[0]?.headers.get('if-match')).toBe('"3"')
  takeUndo()?.undo()
  await expect.element(toast).toMatchTextContent('undone')
  expect(sentTo(editing)[1]?.body).toEqual({ industry: 'Solar' })
  expect(sentTo(editing)[1]?.headers.get('if-match')).toBe('"4"')
})

test('leaving the field saves, Esc cancels, and an unchanged value sends nothing', async () => {
  const { sentTo } = fakeApi({ ...reads, [editing]: json({ ...business, version: 4 }) })
  await show()
  await edit('city').click()
  await userEvent.keyboard('Paarl{Escape}')
  await expect.element(page.getByText('Worcester')).toBeVisible()
  await edit('city').click()
  await userEvent.keyboard('{Enter}')
  await expect.element(field('City')).not.toBeInTheDocument()
  expect(sentTo(editing)).toEqual([])
  await edit('city').click()
  await userEvent.keyboard('Paarl')
  await edit('industry').click()
  await vi.waitFor(() => expect(sentTo(editing)).toHaveLength(1))
  expect(sentTo(editing)[0]?.body).toMatchObject({ address: { city: 'Paarl' } })
})

test('a failed save keeps the typed value in its field, with the reason', async () => {
  const { sentTo } = fakeApi({ ...reads, [editing]: [connectionLost, json({ ...business, version: 4 })] })
  await show()
  await edit('email').click()
  await userEvent.keyboard('new@karoo.co.za{Enter}')
  await expect.element(toast).toMatchTextContent('Not saved.')
  await expect.element(field('Email')).toHaveValue('new@karoo.co.za')
  await userEvent.keyboard('{Enter}')
  await vi.waitFor(() => expect(sentTo(editing)).toHaveLength(2))
  await expect.element(field('Email')).not.toBeInTheDocument()
})

test('two people who edit one field choose between both versions; one field each needs no choice', async () => {
  const theirs = { ...business, version: 4, industry: 'Water', updatedAt: '2026-11-03T08:00:00.000Z' }
  const conflict = problem(412, 'version_conflict', { currentVersion: 4 })
  const { sentTo, answer } = fakeApi({ ...reads, [editing]: [conflict, json({ ...theirs, version: 5 })] })
  await show()
  answer('GET /businesses/b1', json(theirs))
  await edit('industry').click()
  await userEvent.keyboard('Wind{Enter}')
  const dialog = page.getByRole('dialog')
  await expect.element(dialog).toMatchTextContent('This record changed while you were editing')
  await dialog.getByRole('radio', { name: /Yours/ }).click()
  await dialog.getByRole('button', { name: 'Save this version' }).click()
  await vi.waitFor(() => expect(sentTo(editing)).toHaveLength(2))
  expect(sentTo(editing)[1]?.body).toEqual({ industry: 'Wind' })
  expect(sentTo(editing)[1]?.headers.get('if-match')).toBe('"4"')
  await expect.element(dialog).not.toBeInTheDocument()
})

test('empty fields are folded, phones have one format with the original on hover, and the province has its name', async () => {
  fakeApi(reads)
  await show()
  await expect.element(page.getByTitle('As entered: 021 555 0101')).toHaveTextContent('+27215550101')
  await expect.element(page.getByTitle('As entered: W. Cape')).toHaveTextContent('Western Cape')
  await expect.element(page.getByText('Not known')).not.toBeInTheDocument()
  await page.getByRole('button', { name: '7 empty fields' }).click()
  await expect.element(edit('street')).toBeInTheDocument()
})

test('a value of a do-not-contact record is not copied, and the reason is shown', async () => {
  const block = { at: business.createdAt, by: business.createdBy, reason: 'Asked by phone', through: 'hand' as const }
  const { sentTo } = fakeApi({ ...reads, 'GET /businesses/b1': json({ ...business, doNotContact: block }) })
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await show()
  await page.getByRole('button', { name: 'Copy email info@karoo.co.za' }).click()
  await expect.element(toast).toMatchTextContent('Do not contact: Asked by phone')
  expect(write).not.toHaveBeenCalled()
  expect(sentTo('GET /businesses/b1')).not.toEqual([])
})

test('a suppressed value is not copied; any other is, after the server was asked', async () => {
  const check = (suppressed: boolean) =>
    json({ items: [{ kind: 'phone', value: '021 555 0101', suppressed, entryId: null }] })
  const { sentTo } = fakeApi({ ...reads, 'POST /suppressions/checks': [check(true), check(false)] })
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await show()
  const copy = page.getByRole('button', { name: 'Copy phone 021 555 0101' })
  await copy.click()
  await expect.element(toast).toMatchTextContent('This phone is suppressed.')
  expect(write).not.toHaveBeenCalled()
  await copy.click()
  await vi.waitFor(() => expect(write).toHaveBeenCalledWith('021 555 0101'))
  expect(sentTo('POST /suppressions/checks')[0]?.body).toEqual({
    values: [{ kind: 'phone', value: '021 555 0101' }],
  })
})
