import type { Page } from '@playwright/test'
import type { Job } from '@prospect/api-client'
import { codeOf, createPerson, textOf } from './accounts.ts'
import { expect, test } from './fixtures.ts'
import { call, createBusiness, signIn, unique } from './steps.ts'

/** Records all text of live regions from now on, which a screen reader would announce. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const said: string[] = []
    Object.assign(window, { said })
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const place = (target instanceof Element ? target : target.parentElement)?.closest('[role="status"]')
        if (place?.textContent) said.push(place.textContent)
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  return () => page.evaluate(() => ('said' in window ? (window.said as string[]) : []))
}

test('a filter works like any list: the option for Enter is announced, and Tab continues after the chip', async ({
  page,
}) => {
  await signIn(page, '/prospects')
  const add = page.getByRole('button', { name: 'Add filter' })
  await add.press('Enter')
  await page.getByRole('menuitem', { name: 'Province' }).press('Enter')
  const field = page.getByRole('combobox', { name: 'Province' })
  await expect(field).toBeFocused()
  await expect(field).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.type('gaut')
  const told = page.locator(`[id="${await field.getAttribute('aria-activedescendant')}"]`)
  await expect(told).toHaveText('Gauteng')
  await page.keyboard.press('Enter')
  const chip = page.getByRole('button', { name: /^Province: .*Gauteng/ })
  await expect(chip).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(field).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: /Remove the filter/ })).toBeFocused()
  await expect(field).toBeHidden()
})

test('the palette announces its number of results, and no results only after searching', async ({ page }) => {
  await signIn(page)
  const name = unique('Quagga')
  await createBusiness(page, { name })
  await page.goto('/prospects')
  await expect(page.getByRole('heading', { level: 1, name: 'Prospects' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search prospects and commands' })).toBeFocused()
  const said = await listen(page)
  await page.keyboard.type(name)
  await expect(page.getByRole('option')).toHaveCount(1)
  await expect(page.getByRole('dialog').getByRole('status')).toHaveText('1 result')
  expect(await said()).not.toContain('No results.')
})

test('a saved new prospect is not reported as a duplicate of itself', async ({ page }) => {
  const name = unique('Its own twin')
  await signIn(page, '/prospects/new')
  await page.getByRole('textbox', { name: 'Registered name' }).fill(name)
  const look = '**/api/v1/businesses/duplicate-checks'
  await page.waitForResponse(look)
  // The record that opens next is slow, so the form stays that long.
  let isCreated = false
  let checksAfter = 0
  await page.route(look, async (route) => {
    if (isCreated) checksAfter += 1
    await route.continue()
  })
  await page.route('**/api/v1/businesses', async (route) => {
    if (route.request().method() === 'POST') isCreated = true
    await route.continue()
  })
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  expect(isCreated).toBe(true)
  expect(checksAfter).toBe(0)
})

test('a list announces its filtered count in a live region that stays', async ({ page }) => {
  await signIn(page, '/settings/security-events?from=2001-01-01&to=2001-01-02')
  const place = page.getByRole('main').locator('span[role="status"]')
  await expect(place).toHaveText('0 match')
  await place.evaluate((element) => element.setAttribute('data-seen', ''))
  await page.getByRole('search').getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.locator('[data-seen]')).toHaveText(/^[\d\s]+ events/)
})

test('a link that does not work is named in the page title', async ({ page }) => {
  await page.goto('/welcome#no-link')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link does not work')
  await expect(page).toHaveTitle('This link does not work · Prospect Platform')
})

test('the row header of each row is the name of its prospect', async ({ page }) => {
  await signIn(page)
  const name = unique('Row of its own')
  await createBusiness(page, { name })
  await page.goto(`/prospects?q=${encodeURIComponent(name)}`)
  await expect(page.getByRole('rowheader', { name })).toBeVisible()
})

test('the end of an outage is announced like its start', async ({ page }) => {
  await signIn(page, '/prospects')
  await expect(page.getByRole('heading', { level: 1, name: 'Prospects' })).toBeVisible()
  await page.route('**/api/**', (route) => route.abort())
  await page.getByRole('searchbox', { name: 'Search prospects' }).fill('whoever')
  const told = page.getByRole('status')
  await expect(told.filter({ hasText: 'This page may be out of date' })).toBeVisible()
  await page.unroute('**/api/**')
  await expect(told.filter({ hasText: 'The connection is back.' })).toBeAttached()
})

test('a missing value is announced on every submit, even if its field already has the focus', async ({ page }) => {
  await signIn(page)
  const { id } = await createBusiness(page, { name: unique('Left blank') })
  await page.goto(`/prospects/${id}`)
  await page.getByRole('button', { name: 'More actions' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Mark as do not contact' }).press('Enter')
  const reason = page.getByRole('dialog').getByRole('textbox', { name: 'Reason' })
  await expect(reason).toBeFocused()
  const lacks = 'Enter a reason. The reason is stored with the record.'
  const told = page.getByRole('status').filter({ hasText: lacks })
  await reason.press('Control+Enter')
  await expect(told).toHaveCount(1)
  await reason.press('Control+Enter')
  await expect(told).toHaveCount(0)
  await expect(told).toHaveCount(1)
  // When the focus moves from the button to the field, the error is read with the field and not announced twice.
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as do not contact' }).press('Enter')
  await expect(reason).toBeFocused()
  await expect(reason).toHaveAccessibleDescription(new RegExp(lacks))
  await expect(told).toHaveCount(0)
})

test('the button to choose a file includes the name of the selected file', async ({ page }) => {
  await signIn(page, '/sources/csv-preview')
  await expect(page.getByRole('button', { name: 'CSV file: Choose file' })).toBeVisible()
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'towns.csv', mimeType: 'text/csv', buffer: Buffer.from('Name\nSome Town Traders\n') })
  await expect(page.getByRole('button', { name: 'CSV file: towns.csv' })).toBeVisible()
})

test('the requirement to save recovery codes is reported at its checkbox', async ({ page, browser, baseURL }) => {
  await signIn(page, '/profile/security', await createPerson(browser, baseURL, 'operator'))
  await page.getByRole('button', { name: 'Set up…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Set up authenticator app' })
  const secret = (await textOf(dialog.locator('code'))).replaceAll(' ', '')
  await dialog.getByLabel('Code from the app').fill(codeOf(secret))
  await page.keyboard.press('Enter')
  const box = page.getByRole('checkbox', { name: 'I have saved the codes' })
  await box.press('Enter')
  await expect(box).toHaveAttribute('aria-invalid', 'true')
  await expect(
    page.getByRole('status').filter({ hasText: 'Save the codes first, because they cannot be shown again.' }),
  ).toHaveCount(1)
})

test('a missing record is shown beside the list and in a drawer without a second page heading, and Escape closes it', async ({
  page,
}) => {
  await signIn(page)
  const { id } = await createBusiness(page, { name: unique('Soon gone') })
  const record = `**/api/v1/businesses/${id}`
  const notThere = {
    type: 'about:blank',
    title: 'Not found',
    status: 404,
    detail: '',
    code: 'not_found',
    requestId: 'r',
  }
  await page.route(record, (route) =>
    route.fulfill({ status: 404, contentType: 'application/problem+json', json: notThere }),
  )
  await page.goto('/prospects')
  const row = page.getByRole('table').locator(`a[href*="${id}"]`)
  await row.click()
  const panel = page.getByRole('complementary', { name: 'Record' })
  await expect(panel.getByRole('alert')).toContainText('Page not found')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(['Prospects'])
  await expect(panel.getByRole('button', { name: 'Close record' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(row).toBeFocused()

  await page.goto(`/audit?event=${id}`)
  const drawer = page.getByRole('dialog', { name: 'Audit event' })
  await expect(drawer.getByRole('alert')).toContainText('Page not found')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(['Audit'])
})

test('the end of a job is announced, and so is the page of its next attempt with the same title', async ({ page }) => {
  await signIn(page)
  const input = { steps: 1_000, stepMs: 1_000 }
  const { id } = await call<Job>(
    page,
    'POST',
    '/jobs',
    { kind: 'demonstration', input },
    { 'idempotency-key': unique('run') },
  )
  await page.goto(`/jobs/${id}`)
  const screen = page.getByRole('status').filter({ hasText: 'Demonstration · Jobs' })
  const ended = page.getByRole('main').getByRole('status').filter({ hasText: 'The job has ended: cancelled.' })
  await expect(screen).toHaveCount(1)
  await expect(page.getByRole('main').getByRole('status')).toHaveText('Live')
  await page.getByRole('button', { name: 'Cancel job' }).press('Enter')
  await expect(ended).toHaveCount(1)
  const said = await listen(page)
  await page.getByRole('button', { name: 'Retry' }).press('Enter')
  await expect(page).not.toHaveURL(new RegExp(id))
  await expect.poll(said).toContain('Demonstration · Jobs · Prospect Platform')
  await page.getByRole('button', { name: 'Cancel job' }).press('Enter')
  await expect(ended).toHaveCount(1)
})
