import type { Browser, Page } from '@playwright/test'
import type { BusinessPage, Session, Tenant } from '@prospect/api-client'
import { createPerson, otherPage } from './accounts.ts'
import { expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, pressToOpen, sendMove, signIn, unique } from './steps.ts'

/** Opens the first view of an operator with three prospects assigned to them. Ten others, with "new" in the name, have no assignee. */
async function openOwn(page: Page, person: Parameters<typeof signIn>[2], name: string) {
  await signIn(page, null, person)
  const session: Session = await (await page.request.get('/api/v1/session')).json()
  const assigneeId = session.user.id
  const own = ['A', 'B', 'C'].map((which) => createBusiness(page, { name: `${name} ${which}`, assigneeId }))
  const fresh = Array.from({ length: 10 }, (_, n) =>
    createBusiness(page, { name: `${name} new ${n}`, assigneeId: null }),
  )
  const ids = (await Promise.all(own)).map(({ id }) => id)
  await Promise.all(fresh)
  await page.goto('/')
  await expect(page).toHaveURL(new RegExp(`assignee=${assigneeId}`))
  await expect(page.getByRole('link', { name: `${name} A` })).toBeVisible()
  return { ids, assigneeId }
}

const listOf = (name: string) => `/prospects?q=${encodeURIComponent(name)}`

/** Selects the ten new prospects of a list and confirms a bulk action on them. */
async function bulk(page: Page, name: string, action: string, fill: () => Promise<void>): Promise<void> {
  await page.goto(listOf(`${name} new`))
  await expect(page.getByText('10 match')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select all loaded rows' }).press('Space')
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: action }).press('Enter')
  await fill()
  await page.getByRole('dialog').getByRole('button', { name: 'Preview' }).press('Enter')
  await expect(page.getByRole('dialog')).toContainText(
    /10 of at most 2.000 selected: 10 will change, 0 need no change\./,
  )
  const apply = page.getByRole('dialog').getByRole('button', { name: 'Apply to 10' })
  await expect(apply).toBeEnabled()
  await expect(apply).toBeFocused()
  await page.keyboard.press('Enter')
  // The action ends over the list, whose selection stays.
  await expect(page.getByText('10 prospects changed.')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('10')
}

const tagField = (page: Page) => page.getByRole('dialog').getByRole('combobox', { name: 'Tag' })

/**
 * Runs steps before and after midnight in the workspace's zone. The two zones are exactly 24 hours apart, so a change of the zone is a change of the
 * day for the server.
 */
async function acrossMidnight(
  { browser, baseURL }: { browser: Browser; baseURL: string | undefined },
  today: () => Promise<void>,
  tomorrow: () => Promise<void>,
): Promise<void> {
  const admin = await otherPage(browser, baseURL)
  await signIn(admin)
  const tenant = async (): Promise<Tenant> => (await admin.request.get('/api/v1/tenant')).json()
  const moveTo = async (timeZone: string) =>
    call(admin, 'PATCH', '/tenant', { timeZone }, { 'if-match': `"${(await tenant()).version}"` })
  const { timeZone: usual } = await tenant()
  try {
    await moveTo('Pacific/Honolulu')
    await today()
    await moveTo('Pacific/Kiritimati')
    await tomorrow()
  } finally {
    await moveTo(usual)
    await admin.context().close()
  }
}

/** Opens a record and records an interaction with a follow-up tomorrow. */
async function logInteraction(page: Page, id: string): Promise<void> {
  await page.goto(`/prospects/${id}?tab=interactions`)
  await page.getByRole('button', { name: 'Log call' }).first().click()
  const form = page.getByRole('form', { name: 'Log call' })
  await form.getByRole('radio', { name: 'Connected' }).click()
  await form.getByRole('textbox', { name: 'Follow up on' }).fill('tomorrow')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('list', { name: 'Interactions, latest first' }).getByRole('listitem')).toHaveCount(1)
}

async function filterDue(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('menuitem', { name: 'Follow-up due today' }).click()
}

test('a day of an operator by keyboard: own prospects, five cells, ten assigned and tagged, moves with one undo, a follow-up due tomorrow', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(180_000)
  const name = unique('Daily')
  const person = await createPerson(browser, baseURL, 'operator')
  const { ids, assigneeId } = await openOwn(page, person, name)
  const [first = ''] = ids

  // The panel of first steps stays hidden after it is dismissed.
  const steps = page.getByRole('region', { name: 'First steps' })
  await expect(steps.getByRole('listitem')).toHaveCount(3)
  await expectAccessible(page)
  await steps.getByRole('button', { name: 'Dismiss the first steps' }).click()
  await page.reload()
  const link = page.getByRole('link', { name: `${name} A` })
  await expect(link).toBeVisible()
  await expect(steps).toBeHidden()

  // Five cells: four of one row, and the city of the next one.
  await link.focus()
  await page.keyboard.press('F2')
  const cell = (what: string) => page.getByRole('textbox', { name: `${what} of ${name} A` })
  await expect(cell('Registered name')).toBeFocused()
  await page.keyboard.type(`${name} A Farms`)
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
  const second = page.getByRole('link', { name: `${name} B` })
  await second.focus()
  await page.keyboard.press('F2')
  await expect(page.getByRole('textbox', { name: `Registered name of ${name} B` })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: `Assignee of ${name} B` })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('textbox', { name: `City of ${name} B` })).toBeFocused()
  await page.keyboard.type('Ceres')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row', { name: `${name} B` })).toContainText('Ceres')
  const stored = async () => (await page.request.get(`/api/v1/businesses/${first}`)).json()
  expect(await stored()).toMatchObject({
    name: `${name} A Farms`,
    address: { city: 'Worcester' },
    phones: [{ value: '+27 21 555 0101' }],
    emails: [{ value: 'info@daily.example' }],
  })

  // The quick keys work on the active row.
  await link.focus()
  await page.keyboard.press('a')
  await expect(page.getByRole('dialog', { name: `Assign ${name} A` })).toBeVisible()
  await page.keyboard.press('Escape')

  // Three moves, one of them undone.
  for (const which of ['A', 'B', 'C']) {
    await page.getByRole('link', { name: `${name} ${which}` }).focus()
    await pressToOpen(page, 'm', page.getByRole('dialog'))
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Move to Contacted' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('row', { name: `${name} ${which}` })).toContainText('Moving to Contacted…')
  }
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('row', { name: `${name} C` })).toContainText('New')
  // The others are sent when their time to undo is over.
  await expect.poll(async () => (await stored()).pipelineState, { timeout: 20_000 }).toBe('contacted')
  await expect(row).toContainText('Contacted')

  // Ten prospects are assigned and tagged.
  const tag = `today-${first.slice(-8)}`
  await bulk(page, name, 'Assign…', async () => {
    await page.getByRole('dialog').getByRole('combobox', { name: 'Assignee' }).fill(person.name)
    await page.getByRole('option', { name: person.name }).click()
  })
  await bulk(page, name, 'Add a tag…', () => tagField(page).fill(tag))
  const tagged: BusinessPage = await (
    await page.request.get('/api/v1/businesses', { params: { tag, assignee: assigneeId } })
  ).json()
  expect(tagged.items.map((one) => [one.name, one.tags]).toSorted()).toEqual(
    Array.from({ length: 10 }, (_, n) => [`${name} new ${n}`, [tag]]),
  )

  const due = page.getByRole('link', { name: `${name} A` })
  await acrossMidnight(
    { browser, baseURL },
    async () => {
      await logInteraction(page, first)
      await filterDue(page)
      await expect(page.getByText('No prospects match')).toBeVisible()
    },
    async () => {
      await filterDue(page)
      await expect(due).toBeVisible()
      await expect(page.getByRole('link', { name: `${name} B` })).toBeHidden()
      await expectAccessible(page)
    },
  )
})

test('a day of an operator at 390 px: own prospects, an edit in place, a move that is undone and sent, ten tagged, a follow-up due tomorrow', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(120_000)
  await page.setViewportSize({ width: 390, height: 844 })
  const name = unique('Daily pocket')
  const { ids } = await openOwn(page, await createPerson(browser, baseURL, 'operator'), name)
  const [first = ''] = ids
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

  // Two emails: the first of a prospect that has none, the second with a label below it.
  await page.getByRole('button', { name: 'Add email' }).press('Enter')
  await page.keyboard.type('info@daily.example')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Add email' }).press('Enter')
  await page.keyboard.type('owner@daily.example')
  await page.keyboard.press('Tab')
  await page.keyboard.type('owner')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Add email' })).toBeFocused()
  await expect
    .poll(async () => (await (await page.request.get(`/api/v1/businesses/${first}`)).json()).emails)
    .toMatchObject([
      { value: 'info@daily.example', label: null },
      { value: 'owner@daily.example', label: 'owner' },
    ])
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('region', { name: 'Contact details' })).not.toContainText('owner@daily.example')
  await expectAccessible(page)

  await bulk(page, name, 'Add a tag…', () => tagField(page).fill(`pocket-${first.slice(-8)}`))
  const due = page.getByRole('link', { name: `${name} A` })
  await acrossMidnight(
    { browser, baseURL },
    () => logInteraction(page, first),
    async () => {
      await filterDue(page)
      await expect(due).toBeVisible()
      await expectAccessible(page)
    },
  )
})
