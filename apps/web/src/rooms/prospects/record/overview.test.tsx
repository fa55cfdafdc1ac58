import type { Business } from '@prospect/api-client'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { businessOf, noAddress } from '../../../../test/business.ts'
import { connectionLost, fakeApi, heldAnswer, json, problem } from '../../../../test/fake-api.ts'
import { renderInApp } from '../../../../test/render.tsx'
import { sessionOf } from '../../../../test/session.ts'
import { until } from '../../../../test/until.ts'
import { OverPage, showOverPage } from '../../../ui/dialogs/over-page.tsx'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
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
/** For tests that type a contact value, which is checked after a pause. A slow machine can insert that pause. */
const readsWhileTyping = { ...reads, 'POST /suppressions/checks': json({ items: [] }) }
const editing = 'PATCH /businesses/b1'
const session = sessionOf({ permissions: ['businesses.write', 'suppression.read'] })
const recordPage = { actions: [], openTab: () => {}, openForm: () => {}, openDialog: () => {} }
const pageOf = (shown: Business) => (
  <RecordPageContext value={{ page: recordPage, starts: new Map(), setStart: () => {} }}>
    <Overview business={shown} />
    <OverPage />
  </RecordPageContext>
)
const show = (shown: Business = business) => renderInApp(pageOf(shown), { session })
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
  await until(() => expect(sentTo(editing)).toHaveLength(1))
  expect(sentTo(editing)[0]?.body).toMatchObject({ address: { city: 'Paarl' } })
})

test('without an answer, the typed value stays in its field with the reason; saving it again writes it once', async () => {
  const { sentTo } = fakeApi({ ...readsWhileTyping, [editing]: [connectionLost, json({ ...business, version: 4 })] })
  await show()
  await edit('email').click()
  await userEvent.keyboard('new@karoo.co.za{Enter}')
  await expect.element(toast).toMatchTextContent('May not be saved.')
  await expect.element(field('Email')).toHaveValue('new@karoo.co.za')
  await userEvent.keyboard('{Enter}')
  await until(() => expect(sentTo(editing)).toHaveLength(2))
  await expect.element(field('Email')).not.toBeInTheDocument()
})

test('offline, the typed value stays and is saved when the connection is back', async () => {
  const { sentTo } = fakeApi({ ...reads, [editing]: [connectionLost, json({ ...business, version: 4 })] })
  await show()
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await edit('city').click()
  await userEvent.keyboard('Paarl{Enter}')
  await expect.element(toast).toMatchTextContent('Not saved. You are offline')
  await expect.element(field('City')).toHaveValue('Paarl')
  onLine.mockReturnValue(true)
  await userEvent.keyboard('{Enter}')
  await expect.element(field('City')).not.toBeInTheDocument()
  expect(sentTo(editing)).toHaveLength(2)
})

test('a value that was not saved when the person left the page is offered again', async () => {
  const held = heldAnswer()
  const { sentTo } = fakeApi({ ...reads, [editing]: [held.answer, json({ ...business, version: 4 })] })
  const app = await show()
  await edit('city').click()
  await userEvent.keyboard('Paarl{Enter}')
  await until(() => expect(sentTo(editing)).toHaveLength(1))
  app.show(<p>Another page</p>)
  await expect.element(page.getByText('Another page')).toBeVisible()
  held.send(connectionLost)
  await expect.element(toast).toMatchTextContent('May not be saved: City of Karoo Solar')
  await toast.getByRole('button', { name: 'Try again' }).click()
  await until(() => expect(sentTo(editing)).toHaveLength(2))
  await expect.element(toast).toMatchTextContent('City of Karoo Solar saved')
  expect(sentTo(editing)[1]?.body).toMatchObject({ address: { city: 'Paarl' } })
})

test('a change by someone else that arrives while a field is edited is not overwritten', async () => {
  const theirs = { ...business, version: 4, industry: 'Water' }
  const { sentTo, answer } = fakeApi({ ...reads, [editing]: problem(412, 'version_conflict', { currentVersion: 4 }) })
  const app = await show()
  await edit('industry').click()
  await userEvent.keyboard('Wind')
  answer('GET /businesses/b1', json(theirs))
  app.show(pageOf(theirs))
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('dialog')).toMatchTextContent('This record changed while you were editing')
  expect(sentTo(editing)[0]?.headers.get('if-match')).toBe('"3"')
  await page.getByRole('button', { name: 'Keep their version' }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  expect(sentTo(editing)).toHaveLength(1)
})

test('an undo of a field that someone else changed since opens both versions and writes nothing by itself', async () => {
  const saved = { ...business, version: 4, industry: 'Wind' }
  const theirs = { ...business, version: 5, industry: 'Water' }
  const conflict = problem(412, 'version_conflict', { currentVersion: 5 })
  const { sentTo, answer } = fakeApi({ ...reads, [editing]: [json(saved), conflict, json({ ...theirs, version: 6 })] })
  await show()
  await edit('industry').click()
  await userEvent.keyboard('Wind{Enter}')
  await expect.element(toast).toMatchTextContent('Industry of Karoo Solar saved')
  answer('GET /businesses/b1', json(theirs))
  takeUndo()?.undo()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog).toMatchTextContent('This record changed while you were editing')
  expect(sentTo(editing)).toHaveLength(2)
  await dialog.getByRole('radio', { name: /Yours/ }).click()
  await dialog.getByRole('button', { name: 'Save this version' }).click()
  await until(() => expect(sentTo(editing)).toHaveLength(3))
  expect(sentTo(editing)[2]?.body).toEqual({ industry: 'Solar' })
  expect(sentTo(editing)[2]?.headers.get('if-match')).toBe('"5"')
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
  await until(() => expect(sentTo(editing)).toHaveLength(2))
  expect(sentTo(editing)[1]?.body).toEqual({ industry: 'Wind' })
  expect(sentTo(editing)[1]?.headers.get('if-match')).toBe('"4"')
  await expect.element(dialog).not.toBeInTheDocument()
})

test('empty fields are folded, phones have one format with the original on hover, and the province has its name', async () => {
  fakeApi(reads)
  await show()
  await expect.element(page.getByTitle('As entered: 021 555 0101')).toHaveTextContent('+27 21 555 0101')
  await expect.element(page.getByTitle('As entered: W. Cape')).toHaveTextContent('Western Cape')
  await expect.element(page.getByText('Not known')).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Show 7 empty fields' }).click()
  await expect.element(edit('street')).toBeInTheDocument()
})

test('the empty fields are scrolled to and take the focus', async () => {
  fakeApi(reads)
  await show()
  await page.getByRole('button', { name: 'Show 7 empty fields' }).click()
  await expect.element(edit('trading name')).toHaveFocus()
  await expect.element(edit('trading name')).toBeInViewport()
})

test('a record without contact details has a button to add each, and a reader does not', async () => {
  const { sentTo } = fakeApi({ ...readsWhileTyping, [editing]: json({ ...business, version: 4 }) })
  const bare = { ...business, emails: [], phones: [] }
  await show(bare)
  await page.getByRole('button', { name: 'Add email', exact: true }).click()
  await userEvent.keyboard('info@karoo.co.za{Enter}')
  await until(() => expect(sentTo(editing)).toHaveLength(1))
  expect(sentTo(editing)[0]?.body).toEqual({ emails: [{ value: 'info@karoo.co.za' }] })
  await expect.element(page.getByRole('button', { name: 'Add phone' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Add web domain' })).toBeVisible()
})

test('evidence that is missing is an icon with its words on focus', async () => {
  fakeApi(reads)
  await show()
  const icon = page.getByRole('button', { name: 'No evidence yet for industry Solar' })
  await expect.element(icon).toBeVisible()
  icon.element().focus()
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}{Tab}')
  await expect.element(page.getByRole('tooltip')).toHaveTextContent('No evidence yet')
})

describe('the history of a fact', () => {
  const event = (id: string, more: object) => ({
    id,
    at: `2026-11-0${id}T08:00:00.000Z`,
    actor: { kind: 'user', id: 'user-2', name: 'Ben' },
    action: 'business.edit',
    subject: { type: 'business', id: 'b1', name: null },
    businessId: 'b1',
    reason: null,
    erased: false,
    ...more,
  })
  const activity = (...items: object[]) => ({ 'GET /businesses/b1/activity': json({ ...emptyPage, items }) })
  const history = (what: string) => page.getByRole('button', { name: `Earlier values of ${what}` })

  test('an earlier value has its person and is put back by an edit with the version on screen', async () => {
    const { sentTo } = fakeApi({
      ...reads,
      ...activity(
        event('3', { before: { industry: 'Wind' }, after: { industry: 'Solar' } }),
        event('2', { before: { address: noAddress }, after: { address: { ...noAddress, city: 'Worcester' } } }),
      ),
      [editing]: json({ ...business, version: 4, industry: 'Wind' }),
    })
    await show()
    await history('city').click()
    await expect.element(page.getByText('No earlier values.')).toBeVisible()
    await history('industry').click()
    const item = page.getByRole('listitem').filter({ hasText: 'Wind' })
    await expect.element(item).toMatchTextContent('Until 03 Nov 2026, 10:00, changed by Ben')
    await page.getByRole('button', { name: 'Put back Wind' }).click()
    await expect.element(toast).toMatchTextContent('Industry of Karoo Solar put back')
    expect(sentTo(editing)[0]?.body).toEqual({ industry: 'Wind' })
    expect(sentTo(editing)[0]?.headers.get('if-match')).toBe('"3"')
  })

  test('a removed phone is put back beside those that the record has, with its label and country', async () => {
    const gone = { value: '021 555 0199', label: 'owner', region: 'ZA' }
    const { sentTo } = fakeApi({
      ...reads,
      ...activity(event('3', { before: { phones: [gone] }, after: { phones: [] } })),
      [editing]: json({ ...business, version: 4 }),
    })
    await show()
    await history('phone').click()
    await page.getByRole('button', { name: 'Put back 021 555 0199' }).click()
    await until(() => expect(sentTo(editing)).toHaveLength(1))
    expect(sentTo(editing)[0]?.body).toEqual({ phones: [{ value: '021 555 0101', region: 'ZA' }, gone] })
  })

  test('after a merge, both values and the reason for the one that was used are shown', async () => {
    const record = (id: string, name: string) => ({ id, name, doNotContact: false })
    const merge = {
      ...{ id: 'm1', mergedAt: '2026-11-03T08:00:00.000Z', mergedBy: { kind: 'user', id: 'user-2', name: 'Ben' } },
      ...{
        reason: 'Same phone',
        reversal: null,
        survivor: record('b1', 'Karoo Solar'),
        loser: record('b2', 'Karoo CC'),
      },
      choices: [
        {
          ...{ field: 'industry', value: 'Solar', from: 'b1', chosen: true },
          alternative: { value: 'Wind', from: 'b2', evidenceIds: [] },
        },
      ],
    }
    fakeApi({
      ...reads,
      ...activity(event('3', { action: 'matching.merge', before: {}, after: { mergeId: 'm1', merged: 'b2' } })),
      'GET /merges/m1': json(merge),
    })
    await renderInApp(pageOf(business), {
      session: sessionOf({ permissions: ['businesses.write', 'matching.read'] }),
    })
    await history('industry').click()
    const item = page.getByRole('listitem').filter({ hasText: 'Karoo CC' })
    await expect.element(item).toMatchTextContent('Solar in Karoo Solar, Wind in Karoo CC')
    await expect.element(item).toMatchTextContent('The first value was chosen: “Same phone”')
    await expect.element(item.getByRole('button', { name: 'Put back Wind' })).toBeVisible()
    expect(item.getByRole('button', { name: 'Put back Solar' }).query()).toBeNull()
  })
})

test('a contradiction in the address is shown in words beside the part, with a sign', async () => {
  const text = 'Durban is in KwaZulu-Natal, the record says Western Cape'
  const doubt = { kind: 'city_in_another_province', field: 'address.city', text, version: 'identifiers-9' } as const
  fakeApi(reads)
  await show({ ...business, address: { ...business.address, city: 'Durban' }, placeDoubts: [doubt] })
  const shown = page.getByText(`${text}.`)
  await expect.element(shown).toBeVisible()
  expect(shown.element().querySelector('svg')).not.toBeNull()
})

/** Texts that reach the clipboard. */
function copiedTexts(): string[] {
  const texts: string[] = []
  vi.spyOn(navigator.clipboard, 'write').mockImplementation(async ([item]) => {
    if (item !== undefined) texts.push(await (await item.getType('text/plain')).text())
  })
  return texts
}

test('a value of a do-not-contact record is not copied, and the reason is shown', async () => {
  const block = { at: business.createdAt, by: business.createdBy, reason: 'Asked by phone', through: 'hand' as const }
  const { sentTo } = fakeApi({ ...reads, 'GET /businesses/b1': json({ ...business, doNotContact: block }) })
  const copied = copiedTexts()
  await show()
  await page.getByRole('button', { name: 'Copy email info@karoo.co.za' }).click()
  await expect.element(toast).toMatchTextContent('Do not contact: Asked by phone')
  expect(copied).toEqual([])
  expect(sentTo('GET /businesses/b1')).not.toEqual([])
})

test('a suppressed value is not copied; any other is, after the server was asked', async () => {
  const check = (suppressed: boolean) =>
    json({ items: [{ kind: 'phone', value: '021 555 0101', suppressed, entryId: null }] })
  const { sentTo } = fakeApi({ ...reads, 'POST /suppressions/checks': [check(true), check(false)] })
  const copied = copiedTexts()
  await show()
  const copy = page.getByRole('button', { name: 'Copy phone 021 555 0101' })
  await copy.click()
  await expect.element(toast).toMatchTextContent('This phone is on the do-not-contact list.')
  expect(copied).toEqual([])
  await copy.click()
  await expect.poll(() => copied).toEqual(['021 555 0101'])
  expect(sentTo('POST /suppressions/checks')[0]?.body).toEqual({
    values: [{ kind: 'phone', value: '021 555 0101' }],
  })
})

describe('a list of values', () => {
  const two = businessOf({
    ...business,
    emails: [
      { value: 'info@karoo.co.za', label: null, normalized: 'info@karoo.co.za', uncertainty: null },
      { value: 'ann@karoo.co.za', label: 'owner', normalized: 'ann@karoo.co.za', uncertainty: null },
    ],
  })
  const labelled = (value: string, label?: string) => ({ value, ...(label !== undefined && { label }) })
  const info = labelled('info@karoo.co.za')

  test('a further value is added with its label, and the focus returns to the button', async () => {
    const { sentTo } = fakeApi({ ...readsWhileTyping, [editing]: json({ ...two, version: 4 }) })
    const app = await show()
    const add = page.getByRole('button', { name: 'Add email', exact: true })
    await add.click()
    await expect.element(field('Email 2')).toHaveFocus()
    await userEvent.keyboard('ann@karoo.co.za{Tab}owner{Enter}')
    await expect.element(toast).toMatchTextContent('Email 2 of Karoo Solar saved')
    expect(sentTo(editing)[0]?.body).toEqual({ emails: [info, labelled('ann@karoo.co.za', 'owner')] })
    expect(sentTo(editing)[0]?.headers.get('if-match')).toBe('"3"')
    app.show(pageOf({ ...two, version: 4 }))
    await expect.element(page.getByText('owner')).toBeVisible()
    await expect.element(add).toHaveFocus()
  })

  test('any value and its label are changed where they stand; Esc keeps both, leaving the editor saves both', async () => {
    const { sentTo } = fakeApi({ ...readsWhileTyping, [editing]: json({ ...two, version: 4 }) })
    await show(two)
    await edit('email 2').click()
    await userEvent.keyboard('lost@karoo.co.za{Tab}lost{Escape}')
    await expect.element(page.getByText('ann@karoo.co.za')).toBeVisible()
    await edit('email 2').click()
    await userEvent.keyboard('bob@karoo.co.za')
    await userEvent.fill(page.getByRole('textbox', { name: 'Label of Email 2 of Karoo Solar' }), 'accounts')
    expect(sentTo(editing)).toEqual([])
    await edit('city').click()
    await until(() => expect(sentTo(editing)).toHaveLength(1))
    expect(sentTo(editing)[0]?.body).toEqual({ emails: [info, labelled('bob@karoo.co.za', 'accounts')] })
  })

  test('a value is removed by keyboard, and Undo brings it back with its label', async () => {
    const { sentTo } = fakeApi({
      ...reads,
      [editing]: [json({ ...two, version: 4, emails: two.emails.slice(0, 1) }), json({ ...two, version: 5 })],
    })
    await show(two)
    await edit('email 2').click()
    await userEvent.keyboard('{Tab}{Tab}')
    await expect.element(page.getByRole('button', { name: 'Remove Email 2 of Karoo Solar' })).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.element(toast).toMatchTextContent('Email 2 of Karoo Solar removed')
    expect(sentTo(editing)[0]?.body).toEqual({ emails: [info] })
    takeUndo()?.undo()
    await until(() => expect(sentTo(editing)).toHaveLength(2))
    expect(sentTo(editing)[1]?.body).toEqual({ emails: [info, labelled('ann@karoo.co.za', 'owner')] })
  })

  test('a label without a value is not dropped unnoticed, and a new phone has the country of the workspace', async () => {
    const { sentTo } = fakeApi({
      ...readsWhileTyping,
      'GET /phone-countries': json({ countries: [{ code: 'ZA', callingCode: '27' }] }),
      [editing]: json({ ...business, version: 4 }),
    })
    await show()
    await page.getByRole('button', { name: 'Add phone' }).click()
    const label = page.getByRole('textbox', { name: 'Label of Phone 2 of Karoo Solar' })
    await label.fill('office')
    await userEvent.keyboard('{Enter}')
    await expect.element(toast).toMatchTextContent('Enter a value for this label')
    expect(sentTo(editing)).toEqual([])
    await field('Phone 2').fill('021 555 0102')
    await userEvent.keyboard('{Enter}')
    await until(() => expect(sentTo(editing)).toHaveLength(1))
    expect(sentTo(editing)[0]?.body).toMatchObject({
      phones: [{ value: '021 555 0101' }, { value: '021 555 0102', label: 'office', region: 'ZA' }],
    })
  })

  test('two people who add to one list choose, and may keep both additions', async () => {
    const theirs = { ...two, version: 4 }
    const conflict = problem(412, 'version_conflict', { currentVersion: 4 })
    const { sentTo, answer } = fakeApi({ ...readsWhileTyping, [editing]: [conflict, json({ ...theirs, version: 5 })] })
    await show()
    answer('GET /businesses/b1', json(theirs))
    await page.getByRole('button', { name: 'Add email', exact: true }).click()
    await userEvent.keyboard('bob@karoo.co.za{Enter}')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: /Both/ }).click()
    await dialog.getByRole('button', { name: 'Save this version' }).click()
    await until(() => expect(sentTo(editing)).toHaveLength(2))
    expect(sentTo(editing)[1]?.body).toEqual({
      emails: [info, labelled('ann@karoo.co.za', 'owner'), labelled('bob@karoo.co.za')],
    })
  })

  test('a full list offers no further value', async () => {
    fakeApi(reads)
    const emails = Array.from({ length: inputLimits.contactCount }, () => business.emails).flat()
    await show({ ...business, emails })
    await expect.element(page.getByRole('button', { name: 'Add phone' })).toBeInTheDocument()
    expect(page.getByRole('button', { name: 'Add email', exact: true }).query()).toBeNull()
  })
})

describe('the assignee', () => {
  const people = { ...emptyPage, items: ['Ben', 'Cleo'].map((name) => ({ id: name, name })) }
  const choose = async (name: string) => {
    await edit('assignee').click()
    await page.getByRole('combobox', { name: 'Assignee of Karoo Solar' }).click()
    await page.getByRole('option', { name }).click()
  }

  test('a choice is saved as it is made, and Undo takes it back', async () => {
    const saved = { ...business, version: 4, assignee: { id: 'Ben', name: 'Ben' } }
    const { sentTo } = fakeApi({
      ...reads,
      'GET /assignees': json(people),
      [editing]: [json(saved), json({ ...business, version: 5 })],
    })
    await show()
    await choose('Ben')
    await expect.element(toast).toMatchTextContent('Assignee of Karoo Solar saved')
    await expect.element(edit('assignee')).toHaveFocus()
    expect(sentTo(editing)[0]?.body).toEqual({ assigneeId: 'Ben' })
    expect(sentTo(editing)[0]?.headers.get('if-match')).toBe('"3"')
    takeUndo()?.undo()
    await until(() => expect(sentTo(editing)).toHaveLength(2))
    expect(sentTo(editing)[1]?.body).toEqual({ assigneeId: null })
  })

  test('it is removed by keyboard', async () => {
    const { sentTo } = fakeApi({
      ...reads,
      'GET /assignees': json(people),
      [editing]: json({ ...business, version: 4 }),
    })
    await show({ ...business, assignee: { id: 'Ben', name: 'Ben' } })
    await edit('assignee').click()
    await userEvent.keyboard('{Tab}{Enter}')
    await until(() => expect(sentTo(editing)).toHaveLength(1))
    expect(sentTo(editing)[0]?.body).toEqual({ assigneeId: null })
  })

  test('two people who assign one prospect choose between both', async () => {
    const theirs = { ...business, version: 4, assignee: { id: 'Cleo', name: 'Cleo' } }
    const conflict = problem(412, 'version_conflict', { currentVersion: 4 })
    const { sentTo, answer } = fakeApi({
      ...reads,
      'GET /assignees': json(people),
      [editing]: [conflict, json({ ...theirs, version: 5 })],
    })
    await show()
    answer('GET /businesses/b1', json(theirs))
    await choose('Ben')
    const dialog = page.getByRole('dialog')
    await expect.element(dialog.getByRole('radio', { name: /Cleo/ })).toBeVisible()
    await dialog.getByRole('radio', { name: /Yours.*Ben/ }).click()
    await dialog.getByRole('button', { name: 'Save this version' }).click()
    await until(() => expect(sentTo(editing)).toHaveLength(2))
    expect(sentTo(editing)[1]?.body).toEqual({ assigneeId: 'Ben' })
    expect(sentTo(editing)[1]?.headers.get('if-match')).toBe('"4"')
  })
})
