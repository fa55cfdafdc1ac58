import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi, json, type SentRequest } from '../../../../test/fake-api.ts'
import { renderInApp } from '../../../../test/render.tsx'
import { sessionOf } from '../../../../test/session.ts'
import { type RowPrefill, thisPage } from '../../../ui/prospects/row-prefill.ts'
import { NewProspectScreen, RowProspectForm } from './new-prospect-screen.tsx'

const creating = 'POST /businesses'
const session = sessionOf({ permissions: ['businesses.write'] })
const withList = sessionOf({ permissions: ['businesses.write', 'suppression.read'] })
const checking = 'POST /suppressions/checks'
/** Answers as if the address `stop@…` and the number 082 555 1018 were on the do-not-contact list. */
const checkedList = ({ body }: SentRequest) => {
  const { values } = body as { values: { kind: string; value: string }[] }
  const items = values.map(({ kind, value }) => {
    const suppressed = value.startsWith('stop@') || value === '082 555 1018'
    return { kind, value, suppressed, suppressions: suppressed ? [{ id: 's1' }] : [] }
  })
  return Response.json({ items })
}
type Said = { sameAs?: string; leftEmpty?: boolean; parts?: { value: string; words: string }[]; unreadable?: object }
/** Answers each sent value with what `say` says about it and the values before it. */
const checkedValues =
  (say: (value: string, earlier: string[]) => Said) =>
  ({ body }: SentRequest) => {
    const { emails = [], phones = [] } = body as { emails?: string[]; phones?: { value: string }[] }
    const sent = [...emails, ...phones.map(({ value }) => value)]
    const said = sent.map((value, index) => ({ value, ...say(value, sent.slice(0, index)) }))
    return Response.json({
      items: [],
      unreadable: said.flatMap(({ unreadable }) => unreadable ?? []),
      values: said.map(({ value, sameAs = null, leftEmpty = false, parts = [] }) => ({
        kind: emails.includes(value) ? 'email' : 'phone',
        value,
        sameAs,
        leftEmpty,
        parts,
      })),
    })
  }
const onTheList = page.getByText(/If you save this value, the prospect is marked do not contact/)
const answers = {
  'GET /assignees': json({
    items: [{ id: 'user-1', name: 'Ann Mokoena' }],
    page: { limit: 200, returned: 1, nextCursor: null, total: null },
  }),
  'GET /businesses/tags': json({ items: [], page: { limit: 50, returned: 0, nextCursor: null, total: null } }),
  'GET /phone-countries': json({ items: [] }),
  'POST /businesses/duplicate-checks': json({ items: [], unreadable: [], values: [] }),
  [creating]: json({ id: 'b1', name: 'Karoo Pumps', possibleDuplicates: [] }, 201),
}

test('a new record is assigned to its creator, and a trading name without a registered name is enough', async () => {
  const { sentTo } = fakeApi(answers)
  await renderInApp(<NewProspectScreen />, { session })
  await expect.element(page.getByRole('combobox', { name: 'Assignee' })).toHaveValue('Ann Mokoena')
  await page.getByRole('textbox', { name: 'Trading name' }).fill('Karoo Pumps')
  await page.getByRole('button', { name: 'Create prospect' }).click()
  await expect.element(page.getByRole('alert')).toMatchTextContent('Karoo Pumps created')
  expect(sentTo(creating)[0]?.body).toMatchObject({ tradingName: 'Karoo Pumps', assigneeId: 'user-1' })
  expect(sentTo(creating)[0]?.body).not.toHaveProperty('name')
})

test('the assignee of a new record can be cleared', async () => {
  const { sentTo } = fakeApi(answers)
  await renderInApp(<NewProspectScreen />, { session })
  await page.getByRole('textbox', { name: 'Registered name' }).fill('Karoo Pumps (Pty) Ltd')
  const assignee = page.getByRole('combobox', { name: 'Assignee' })
  await expect.element(assignee).toHaveValue('Ann Mokoena')
  await page.getByRole('button', { name: 'Clear “Assignee”' }).click()
  await expect.element(assignee).toHaveValue('')
  await page.getByRole('button', { name: 'Create prospect' }).click()
  await expect.element(page.getByRole('alert')).toMatchTextContent('created')
  expect(sentTo(creating)[0]?.body).not.toHaveProperty('assigneeId')
})

afterEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

test('a value on the do-not-contact list is reported when its field is left, and sent in the body only', async () => {
  const { sentTo, sent } = fakeApi({ ...answers, [checking]: checkedList })
  const { router } = await renderInApp(<NewProspectScreen />, { session: withList })
  const email = page.getByRole('textbox', { name: 'Email', exact: true })
  await email.fill('stop@steyn.co.za')
  expect(sentTo(checking)).toEqual([])
  await userEvent.keyboard('{Tab}')
  await expect.element(onTheList).toBeVisible()
  await expect.element(email).toHaveAccessibleDescription(/On the do-not-contact list/)
  await expect
    .element(page.getByRole('link', { name: 'do-not-contact list' }))
    .toHaveAttribute('href', '/suppression/s1')
  expect(sent.filter(({ path, query }) => `${path}${query}`.includes('steyn'))).toEqual([])
  expect(router.state.location.href).not.toContain('steyn')
  await userEvent.fill(email, 'free@steyn.co.za')
  await expect.element(onTheList).not.toBeInTheDocument()
  await userEvent.keyboard('{Tab}')
  await expect.poll(() => sentTo(checking).length).toBe(2)
  await expect.element(onTheList).not.toBeInTheDocument()
})

test('a person who may not see the list asks nothing about it', async () => {
  const { sentTo } = fakeApi(answers)
  await renderInApp(<NewProspectScreen />, { session })
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill('stop@steyn.co.za')
  await userEvent.keyboard('{Tab}')
  await expect.poll(() => sentTo('POST /businesses/duplicate-checks').length).toBeGreaterThan(0)
  expect(sentTo(checking)).toEqual([])
})

test('a row that the preview marked do not contact stays marked on the form, and its values are checked at once', async () => {
  const prefill: RowPrefill = {
    source: {
      label: 'CSV file fair.csv',
      place: 'row 19 of fair.csv',
      reference: 'fair.csv · row 19',
      observation: 'STOP',
    },
    doNotContact: true,
    said: null,
    note: '',
    person: null,
    page: thisPage,
    values: {
      name: 'Steyn Klere',
      phones: [{ value: '082 555 1018', region: 'ZA' }],
      emails: [{ value: 'a@b.co.za' }],
    },
  }
  fakeApi({ ...answers, [checking]: checkedList })
  const { router, show } = await renderInApp(null, { session: withList })
  await router.navigate({ to: '/', state: { prefill } as never })
  show(<NewProspectScreen />)
  await expect.element(page.getByText(/The preview marked row 19 of fair.csv/)).toBeVisible()
  await expect.element(onTheList).toBeVisible()
  await expect
    .element(page.getByRole('textbox', { name: 'Phone', exact: true }))
    .toHaveAccessibleDescription(/On the do-not-contact list/)
  await expect
    .element(page.getByRole('textbox', { name: 'Email', exact: true }))
    .not.toHaveAccessibleDescription(/do-not-contact/)
})

test.for([
  ['is added with the values that have the name as their label', true, true, 1],
  ['is not added if the box is cleared', true, false, 0],
  ['is not offered without the permission', false, true, 0],
] as const)('the person of a row %s', async ([, may, isChecked, count]) => {
  const prefill: RowPrefill = {
    source: { label: 'CSV file fair.csv', place: 'row 3 of fair.csv', reference: 'fair.csv · row 3', observation: 'x' },
    ...{ doNotContact: false, said: null, note: '', page: 'another page' },
    person: { name: 'Jan Smit', role: 'Buyer' },
    values: {
      name: 'Karoo Pumps',
      emails: [
        { value: 'jan@karoo.co.za', label: 'Jan Smit' },
        { value: 'info@karoo.co.za', label: 'Desk' },
      ],
      phones: [{ value: '082 555 1018', label: 'Jan Smit', region: 'ZA' }],
    },
  }
  const adding = 'POST /businesses/b1/people'
  const recording = 'POST /businesses/b1/evidence'
  const { sentTo } = fakeApi({ ...answers, [recording]: json({}, 201), [adding]: json({}, 201) })
  const withPeople = sessionOf({ permissions: ['businesses.write', 'people.write'] })
  const { router, show } = await renderInApp(null, { session: may ? withPeople : session })
  await router.navigate({ to: '/', state: { prefill } as never })
  show(<NewProspectScreen />)
  const create = page.getByRole('button', { name: 'Create prospect' })
  await expect.element(create).toBeVisible()
  const box = page.getByRole('checkbox', { name: 'Also add the person from the row' })
  expect(box.elements()).toHaveLength(may ? 1 : 0)
  if (may) await expect.element(box).toHaveAccessibleDescription('Jan Smit, Buyer')
  if (!isChecked) await box.click()
  await create.click()
  await expect.poll(() => sentTo(recording).length).toBe(1)
  const person = {
    ...{ name: 'Jan Smit', role: 'Buyer', emails: [{ value: 'jan@karoo.co.za' }] },
    phones: [{ value: '082 555 1018', region: 'ZA' }],
  }
  expect(sentTo(adding).map(({ body }) => body)).toEqual(Array.from({ length: count }, () => person))
})

test.for([
  ['yes', true],
  ['unclear', true],
  ['no', false],
] as const)('a row whose file says %s is created as do not contact: %s', async ([said, isBlocked]) => {
  const prefill: RowPrefill = {
    source: { label: 'CSV file fair.csv', place: 'row 3 of fair.csv', reference: 'fair.csv · row 3', observation: 'x' },
    doNotContact: said === 'no' ? false : said === 'yes' ? true : null,
    said,
    note: 'Ask for Jan\nafter five',
    person: null,
    page: 'another page',
    values: { name: 'Karoo Pumps' },
  }
  const adding = 'POST /businesses/b1/notes'
  const { sentTo } = fakeApi({
    ...answers,
    'POST /businesses/b1/evidence': json({}, 201),
    [adding]: json({}, 201),
  })
  const { router, show } = await renderInApp(null, { session })
  await router.navigate({ to: '/', state: { prefill } as never })
  show(<NewProspectScreen />)
  const box = page.getByRole('checkbox', { name: 'Mark as do not contact' })
  if (isBlocked) await expect.element(box).toBeChecked()
  else await expect.element(page.getByRole('checkbox', { name: 'Also add the note from the row' })).toBeChecked()
  await page.getByRole('button', { name: 'Create prospect' }).click()
  await expect.poll(() => sentTo(adding).length).toBe(1)
  expect(sentTo(adding)[0]?.body).toEqual({ text: 'Ask for Jan\nafter five' })
  const body = sentTo(creating)[0]?.body
  if (isBlocked) expect(body).toMatchObject({ doNotContact: { reason: 'Marked in the CSV file: fair.csv · row 3' } })
  else {
    expect(body).not.toHaveProperty('doNotContact')
    await expect.element(box).not.toBeInTheDocument()
  }
})

test('the only value in a pasted row is offered, and never taken by itself', async () => {
  const typed = 'victim@kappertjie.co.za unsubscribed'
  const unreadable = {
    kind: 'email',
    value: typed,
    uncertainty: 'not_an_email_address',
    contains: 'victim@kappertjie.co.za',
  }
  fakeApi({
    ...answers,
    [checking]: checkedList,
    'POST /businesses/duplicate-checks': checkedValues((value) => (value === typed ? { unreadable } : {})),
  })
  await renderInApp(<NewProspectScreen />, { session: withList })
  const email = page.getByRole('textbox', { name: 'Email', exact: true })
  await email.fill(typed)
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByText(/Only victim@kappertjie.co.za can be used here/)).toBeVisible()
  await expect.element(email).toHaveValue(typed)
  await page.getByRole('button', { name: 'Use only this' }).click()
  await expect.element(email).toHaveValue('victim@kappertjie.co.za')
  await expect.element(page.getByText(/can be used here/)).not.toBeInTheDocument()
})

test('the same number in another spelling is named beside its field, and changing it removes the words', async () => {
  const isOfShop = (value: string) => /6601/.test(value)
  fakeApi({
    ...answers,
    'POST /businesses/duplicate-checks': checkedValues((value, earlier) => {
      const sameAs = isOfShop(value) ? earlier.find(isOfShop) : undefined
      return sameAs === undefined ? {} : { sameAs }
    }),
  })
  await renderInApp(<NewProspectScreen />, { session })
  await page.getByRole('textbox', { name: 'Phone', exact: true }).fill('021 555 6601')
  await page.getByRole('button', { name: 'Add phone' }).click()
  const second = page.getByRole('textbox', { name: 'Phone 2', exact: true })
  await second.fill('+27215556601')
  await userEvent.keyboard('{Tab}')
  await expect.element(second).toHaveAccessibleDescription('The same number as above.')
  await expect
    .element(page.getByRole('textbox', { name: 'Phone 1', exact: true }))
    .not.toHaveAccessibleDescription(/same number/)
  await second.fill('021 555 6602')
  await userEvent.keyboard('{Tab}')
  await expect.element(second).not.toHaveAccessibleDescription(/same number/)
})

test('several values in one field are split into rows that keep the label, the country and the words beside them', async () => {
  const typed = '082-555-8802 (Jan), 011 555 0123'
  const parts = [
    { value: '082-555-8802', words: 'Jan' },
    { value: '011 555 0123', words: '' },
  ]
  const { sentTo } = fakeApi({
    ...answers,
    'POST /businesses/duplicate-checks': checkedValues((value) => (value === typed ? { parts } : {})),
  })
  await renderInApp(<NewProspectScreen />, { session })
  await page.getByRole('textbox', { name: 'Registered name' }).fill('Karoo Pumps')
  await page.getByRole('textbox', { name: 'Phone', exact: true }).fill(typed)
  await page.getByRole('textbox', { name: 'Label of phone 1' }).fill('office')
  await expect.element(page.getByText(/These look like 2 numbers\./)).toBeVisible()
  await page.getByRole('button', { name: 'Split into 2 rows' }).click()
  await expect.element(page.getByRole('textbox', { name: 'Phone 2', exact: true })).toHaveFocus()
  await expect.element(page.getByText(/These look like 2 numbers\./)).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Create prospect' }).click()
  await expect.poll(() => sentTo(creating).length).toBe(1)
  expect(sentTo(creating)[0]?.body).toMatchObject({
    phones: [
      { value: '082-555-8802', label: 'office Jan' },
      { value: '011 555 0123', label: 'office' },
    ],
  })
})

test('a value such as n/a is said to be left out, beside its field and after saving', async () => {
  const created = {
    id: 'b1',
    name: 'Karoo Pumps',
    possibleDuplicates: [],
    leftEmpty: [{ kind: 'email', value: 'n/a' }],
  }
  fakeApi({
    ...answers,
    [creating]: json(created, 201),
    'POST /businesses/duplicate-checks': checkedValues((value) => ({ leftEmpty: value === 'n/a' })),
  })
  await renderInApp(<NewProspectScreen />, { session })
  await page.getByRole('textbox', { name: 'Registered name' }).fill('Karoo Pumps')
  const email = page.getByRole('textbox', { name: 'Email', exact: true })
  await email.fill('n/a')
  await userEvent.keyboard('{Tab}')
  await expect.element(email).toHaveAccessibleDescription('“n/a” is not stored: this field is left empty.')
  await page.getByRole('button', { name: 'Create prospect' }).click()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent('Karoo Pumps created. “n/a” was not stored, because the text means “no value”')
})

test('tags and the assignee of all rows follow in the open row, and what was typed there remains', async () => {
  const { sentTo } = fakeApi({ ...answers, 'POST /businesses/b1/evidence': json({ id: 'e1' }, 201) })
  const form = (tags: string[], assigneeId: string | null) => {
    const source = { place: 'row 2 of a.csv', label: 'a.csv', reference: 'a.csv row 2', observation: 'Karoo Pumps' }
    const values = { name: 'Karoo Pumps', tags, assigneeId }
    const prefill: RowPrefill = {
      source,
      doNotContact: false,
      said: null,
      note: '',
      person: null,
      page: thisPage,
      values,
    }
    return <RowProspectForm prefill={prefill} side={null} created={() => {}} leave={() => {}} />
  }
  const { show } = await renderInApp(form(['of the row', 'old'], 'user-1'), { session })
  await page.getByRole('textbox', { name: 'Trading name' }).fill('Pumps of the Karoo')
  show(form(['of the row', 'skou 2026'], null))
  await expect.element(page.getByRole('combobox', { name: 'Assignee' })).toHaveValue('')
  await page.getByRole('button', { name: 'Create and open next row' }).click()
  await expect.poll(() => sentTo(creating)).toHaveLength(1)
  const body = sentTo(creating)[0]?.body
  expect(body).toMatchObject({
    name: 'Karoo Pumps',
    tradingName: 'Pumps of the Karoo',
    tags: ['of the row', 'skou 2026'],
  })
  expect(body).not.toHaveProperty('assigneeId')
})
