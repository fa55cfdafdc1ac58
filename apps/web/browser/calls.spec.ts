import type { Locator, Page } from '@playwright/test'
import type { BusinessPage, Session } from '@prospect/api-client'
import { createPerson } from './accounts.ts'
import { expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, pressToOpen, signIn, unique } from './steps.ts'

const CALLS = 15

/** Creates the prospects of a calling list and opens it. `conditions` narrow it further. */
async function openCallingList(page: Page, conditions: readonly object[]): Promise<string[]> {
  await signIn(page)
  const name = unique('Call')
  const tag = name.toLowerCase().replaceAll(' ', '-').slice(0, 40)
  const names = Array.from({ length: CALLS }, (_, n) => `${name} ${String(n + 1).padStart(2, '0')}`)
  for (const one of names)
    await createBusiness(page, { name: one, tags: [tag], phones: [{ value: '+27 21 555 0101' }] })
  const filter = encodeURIComponent(JSON.stringify(conditions))
  await page.goto(`/prospects?tag=${tag}&sort=name${conditions.length === 0 ? '' : `&conditions=${filter}`}`)
  await page.getByRole('link', { name: names[0] ?? '' }).click()
  return names
}

const panel = (page: Page) => page.getByRole('complementary', { name: 'Record' })
const expectOpen = (page: Page, name: string) =>
  expect(panel(page).getByRole('heading', { level: 2, name })).toBeVisible()

/** Outcomes of the last interactions of the prospects with these names. */
async function outcomesOf(page: Page, names: readonly string[]): Promise<string[]> {
  const outcomes: string[] = []
  for (const name of names) {
    const { items }: BusinessPage = await (await page.request.get('/api/v1/businesses', { params: { q: name } })).json()
    const found = await (await page.request.get(`/api/v1/businesses/${items[0]?.id}/interactions`)).json()
    outcomes.push(found.items.map(({ outcome }: { outcome: string }) => outcome).join())
  }
  return outcomes
}

test('fifteen calls by keyboard take three keys each, while each call leaves the list', async ({ page }) => {
  test.setTimeout(180_000)
  const names = await openCallingList(page, [{ field: 'lastInteraction', op: 'is_empty', values: [] }])
  let keys = 0
  const press = (key: string) => {
    keys += 1
    return page.keyboard.press(key)
  }
  for (const [index, name] of names.entries()) {
    await expectOpen(page, name)
    await press('i')
    const form = page.getByRole('form', { name: 'Log call' })
    await expect(form.getByRole('radio', { name: 'No answer' })).toBeFocused()
    if (index === 0) await expectAccessible(page)
    await press(String(1 + (index % 4)))
    await press('Control+Enter')
  }
  await expect(page.getByText(/This was the last prospect in the list/)).toBeVisible()
  expect(keys).toBe(3 * CALLS)
  const cycle = ['no_answer', 'left_message', 'connected', 'meeting_booked']
  expect(await outcomesOf(page, names)).toEqual(names.map((_, index) => cycle[index % 4]))
})

test('fifteen calls by mouse take three clicks each, and a follow-up one more', async ({ page }) => {
  test.setTimeout(180_000)
  const names = await openCallingList(page, [])
  let clicks = 0
  const click = (target: Locator) => {
    clicks += 1
    return target.click()
  }
  for (const [index, name] of names.entries()) {
    await expectOpen(page, name)
    await click(panel(page).getByRole('button', { name: 'Log call' }).first())
    const form = page.getByRole('form', { name: 'Log call' })
    await click(form.getByRole('radio', { name: 'No answer' }))
    if (index === 0) await click(form.getByRole('radio', { name: /^Tomorrow/ }))
    await click(form.getByRole('button', { name: 'Save and next' }))
  }
  await expect(page.getByText(/This was the last prospect in the list/)).toBeVisible()
  expect(clicks).toBe(3 * CALLS + 1)
  expect(await outcomesOf(page, names)).toEqual(names.map(() => 'no_answer'))
})

test('the number in the header is copied after the gate was asked; a do-not-contact record shows none there', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page)
  const { id } = await createBusiness(page, {
    name: unique('Number'),
    phones: [{ value: '021 555 0101', region: 'ZA' }],
  })
  await page.goto(`/prospects/${id}`)
  const header = page.getByRole('article').locator('header').first()
  await expect(header.getByText('+27 21 555 0101')).toBeVisible()
  const asked = page.waitForRequest('**/api/v1/suppressions/checks')
  await header.getByRole('button', { name: /^Copy phone/ }).click()
  await asked
  await expect(page.getByText('Phone copied')).toBeVisible()
  await call(page, 'POST', `/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  await page.reload()
  await expect(header.getByText('Do not contact')).toBeVisible()
  await expect(header.getByText('+27 21 555 0101')).toBeHidden()
})

test('the record and the day plan say whether a number may be called now, and a do-not-contact record does not', async ({
  page,
}) => {
  await signIn(page)
  const session: Session = await (await page.request.get('/api/v1/session')).json()
  const name = unique('Hours')
  const numbers = { Namibia: '+264 81 234 5678', Cape: '+27 21 555 0101', Blocked: '+27 21 555 0102' }
  const ids: Record<string, string> = {}
  for (const [which, value] of Object.entries(numbers)) {
    const { id } = await createBusiness(page, {
      name: `${name} ${which}`,
      assigneeId: session.user.id,
      phones: [{ value }],
    })
    ids[which] = id
    const date = { followUpOn: '2026-01-05', acceptPastFollowUp: true }
    await call(page, 'PUT', `/businesses/${id}/follow-up`, date, { 'if-match': '"1"' })
  }
  await call(page, 'POST', `/businesses/${ids.Blocked}/do-not-contact`, { reason: 'They asked.' })
  const hours = /May be called now|Not now: .+\. From .+ 0[89]:00/

  const header = page.getByRole('article').locator('header').first()
  await page.goto(`/prospects/${ids.Cape}`)
  await expect(header.getByText(hours)).toBeVisible()
  await page.goto(`/prospects/${ids.Namibia}`)
  await expect(header.getByText('Unknown: no calendar for NA')).toBeVisible()
  await page.goto(`/prospects/${ids.Blocked}`)
  await expect(header.getByText('Do not contact')).toBeVisible()
  await expect(header.getByText(hours)).toBeHidden()

  await page.goto('/dashboard')
  await expect(page.getByRole('region', { name: 'My follow-ups' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('y')
  await expect(page.getByText(/^Prospects that may be called now are first/)).toContainText(hours)
  await expect(page).toHaveURL(/sort=mayBeCalled/)
  const links = page.getByRole('link', { name })
  await expect(links).toHaveText([`${name} Cape`, `${name} Namibia`])
  await expectAccessible(page)
})

test('a week is planned from the list and the record, and worked as a day plan in its order', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(180_000)
  await signIn(page, null, await createPerson(browser, baseURL, 'operator'))
  const session: Session = await (await page.request.get('/api/v1/session')).json()
  const assigneeId = session.user.id
  const name = unique('Plan')
  const made = []
  for (const which of ['A', 'B', 'C', 'D'])
    made.push(await createBusiness(page, { name: `${name} ${which}`, assigneeId }))
  const [overdue] = made
  await call(
    page,
    'PUT',
    `/businesses/${overdue?.id}/follow-up`,
    { followUpOn: '2026-01-05', acceptPastFollowUp: true },
    { 'if-match': '"1"' },
  )

  // Three days are typed on the list.
  await page.goto(`/prospects?q=${encodeURIComponent(name)}&sort=name`)
  const typed = { B: 'today', C: 'next week', D: '+30' }
  for (const [which, day] of Object.entries(typed)) {
    await page.getByRole('link', { name: `${name} ${which}` }).focus()
    const dialog = page.getByRole('dialog', { name: `Follow-up of ${name} ${which}` })
    await pressToOpen(page, 'w', dialog)
    const followUp = dialog.getByRole('textbox', { name: 'Follow up on' })
    await expect(followUp).toBeFocused()
    if (which === 'B') await expectAccessible(page)
    // Replaces the text, because the key can be pressed again while the dialog loads.
    await followUp.fill(day)
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
  }
  await expect(page.getByRole('row', { name: `${name} B` })).toContainText(/[A-Z][a-z]{2}, \d+/)

  // The dashboard counts them, and each number opens its list.
  await page.goto('/dashboard')
  const tile = page.getByRole('region', { name: 'My follow-ups' })
  await expect(tile.getByRole('link', { name: 'Overdue: 1. Open the list' })).toBeVisible()
  await expect(tile.getByRole('link', { name: 'Due today: 1. Open the list' })).toBeVisible()
  await tile.getByRole('link', { name: 'Next week: 1. Open the list' }).click()
  await expect(page.getByRole('link', { name: `${name} C` })).toBeVisible()
  await expect(page.getByText('1 matches').or(page.getByText('1 match'))).toBeVisible()

  // The day plan: the overdue one first, and Save and next opens the one of today.
  await page.keyboard.press('g')
  await page.keyboard.press('y')
  await expect(page.getByRole('row', { name: `${name} B` })).toBeVisible()
  await expect(page.getByRole('row', { name: `${name} C` })).toBeHidden()
  await page.getByRole('link', { name: `${name} A` }).click()
  await expectOpen(page, `${name} A`)
  await expect(panel(page).getByRole('button', { name: /^follow-up overdue since Mon, 05 Jan 2026/ })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('i')
  await expect(page.getByRole('radio', { name: 'No answer' })).toBeFocused()
  await page.keyboard.press('1')
  await page.keyboard.press('Control+Enter')
  await expectOpen(page, `${name} B`)

  // Moved and cleared on the header.
  await panel(page).getByRole('button', { name: 'follow-up today' }).click()
  await page
    .getByRole('dialog')
    .getByRole('radio', { name: /^In a week/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save follow-up' }).click()
  await expect(page.getByText('No prospects match')).toBeVisible()
  await panel(page)
    .getByRole('button', { name: /^follow-up / })
    .click()
  await page.getByRole('dialog').getByRole('radio', { name: 'None' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save follow-up' }).click()
  await expect(panel(page).getByRole('button', { name: 'set follow-up' })).toBeVisible()
  const { followUpOn } = await (await page.request.get(`/api/v1/businesses/${made[1]?.id}`)).json()
  expect(followUpOn).toBeNull()
})
