import type { Page } from '@playwright/test'
import type { Session } from '@prospect/api-client'
import { createPerson } from './accounts.ts'
import { expect, test } from './fixtures.ts'
import { createBusiness, expectAccessible, sendMove, signIn, unique } from './steps.ts'

/** Opens the first view of an operator with three prospects assigned to them. */
async function openOwn(page: Page, person: Parameters<typeof signIn>[2], name: string) {
  await signIn(page, null, person)
  const session: Session = await (await page.request.get('/api/v1/session')).json()
  const ids: string[] = []
  for (const which of ['A', 'B', 'C']) {
    const { id } = await createBusiness(page, { name: `${name} ${which}`, assigneeId: session.user.id })
    ids.push(id)
  }
  await page.goto('/')
  await expect(page).toHaveURL(new RegExp(`assignee=${session.user.id}`))
  await expect(page.getByRole('link', { name: `${name} A` })).toBeVisible()
  return ids
}

test('a day of an operator by keyboard: own prospects, cells, assignment, tags, moves with one undo, a follow-up', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(180_000)
  const name = unique('Daily')
  const [first = ''] = await openOwn(page, await createPerson(browser, baseURL, 'operator'), name)

  // The panel of first steps stays hidden after it is dismissed.
  const steps = page.getByRole('region', { name: 'First steps' })
  await expect(steps.getByRole('listitem')).toHaveCount(3)
  await expectAccessible(page)
  await steps.getByRole('button', { name: 'Dismiss the first steps' }).click()
  await page.reload()
  const link = page.getByRole('link', { name: `${name} A` })
  await expect(link).toBeVisible()
  await expect(steps).toBeHidden()

  // Five cells of one row.
  await link.focus()
  await page.keyboard.press('F2')
  const cell = (what: string) => page.getByRole('textbox', { name: `${what} of ${name} A` })
  await expect(cell('Registered name')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: `Assignee of ${name} A` })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(cell('City')).toBeFocused()
  await page.keyboard.type('Worcester')
  await page.keyboard.press('Tab')
  await expect(cell('Phone')).toBeFocused()
  await page.keyboard.type('+27 21 555 0101')
  await page.keyboard.press('Tab')
  await expect(cell('Email')).toBeFocused()
  await page.keyboard.type('info@daily.example')
  await page.keyboard.press('Enter')
  const row = page.getByRole('row', { name: `${name} A` })
  await expect(row).toContainText('info@daily.example')
  const stored = async () => (await page.request.get(`/api/v1/businesses/${first}`)).json()
  expect(await stored()).toMatchObject({
    address: { city: 'Worcester' },
    phones: [{ value: '+27 21 555 0101' }],
    emails: [{ value: 'info@daily.example' }],
  })

  // Tags and assignment of the selected row.
  await link.focus()
  await page.keyboard.press('t')
  const tags = page.getByRole('dialog').getByRole('combobox')
  await expect(tags).toBeFocused()
  await page.keyboard.type('today')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect.poll(async () => (await stored()).tags).toEqual(['today'])
  await link.focus()
  await page.keyboard.press('a')
  await expect(page.getByRole('dialog', { name: `Assign ${name} A` })).toBeVisible()
  await page.keyboard.press('Escape')

  // Three moves, one of them undone.
  for (const which of ['A', 'B', 'C']) {
    await page.getByRole('link', { name: `${name} ${which}` }).focus()
    await page.keyboard.press('m')
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Move to Contacted' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('row', { name: `${name} ${which}` })).toContainText('Moving to Contacted…')
  }
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('row', { name: `${name} C` })).toContainText('New')
  // The others are sent when their time to undo is over.
  await expect.poll(async () => (await stored()).pipelineState, { timeout: 20_000 }).toBe('contacted')
  await expect(row).toContainText('Contacted')

  // An interaction with a follow-up today, found among those that are due.
  await page.goto(`/prospects/${first}?tab=interactions`)
  await page.getByRole('button', { name: 'Record interaction' }).first().click()
  const form = page.getByRole('form', { name: 'Record interaction' })
  await form.getByRole('combobox', { name: 'Outcome' }).click()
  await page.getByRole('option', { name: 'Connected' }).click()
  await form.getByRole('textbox', { name: 'Follow up on' }).fill('today')
  await form.getByRole('button', { name: 'Record interaction' }).click()
  await expect(page.getByRole('list', { name: 'Interactions, latest first' }).getByRole('listitem')).toHaveCount(1)
  const due = JSON.stringify([{ field: 'followUp', op: 'any_of', values: ['today'] }])
  await page.goto(`/prospects?conditions=${encodeURIComponent(due)}`)
  await expect(page.getByRole('link', { name: `${name} A` })).toBeVisible()
  await expect(page.getByRole('link', { name: `${name} B` })).toBeHidden()
  await expectAccessible(page)
})

test('a day of an operator at 390 px: own prospects, an edit in place, a move that is undone and one that is sent', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(120_000)
  await page.setViewportSize({ width: 390, height: 844 })
  const name = unique('Daily pocket')
  const [first] = await openOwn(page, await createPerson(browser, baseURL, 'operator'), name)
  await page.getByRole('button', { name: 'Dismiss the first steps' }).click()
  await page.getByRole('link', { name: `${name} A` }).click()
  await page.getByRole('button', { name: /empty fields$/ }).click()
  await page.getByRole('button', { name: 'Edit city' }).click()
  await page.keyboard.type('Worcester')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Address' })).toContainText('Worcester')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Move to Contacted' }).click()
  await page.getByRole('alert').getByRole('button', { name: 'Undo' }).last().click()
  await expect(page.getByRole('button', { name: 'Move to Contacted' })).toBeVisible()
  await page.getByRole('button', { name: 'Move to Contacted' }).click()
  await sendMove(page, `${name} A`)
  await expect
    .poll(async () => (await (await page.request.get(`/api/v1/businesses/${first}`)).json()).pipelineState)
    .toBe('contacted')
  await expectAccessible(page)
})
