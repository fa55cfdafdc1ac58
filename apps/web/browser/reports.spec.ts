import type { Business, Report } from '@prospect/api-client'
import { createPerson, otherPage } from './accounts.ts'
import { expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, signIn, unique } from './steps.ts'

test('a report is created by keyboard, read with its description, and created again as of now', async ({ page }) => {
  await signIn(page)
  const tag = unique('counted')
  const first = await createBusiness(page, { name: unique('Counted'), tags: [tag] })
  await createBusiness(page, { name: unique('Counted too'), tags: [tag] })
  await call<Business>(page, 'POST', `/businesses/${first.id}/do-not-contact`, { reason: 'They asked.' })
  await call(page, 'POST', `/businesses/${first.id}/interactions`, {
    occurredAt: new Date().toISOString(),
    channel: 'phone',
    outcome: 'no_answer',
  })

  await page.goto('/reports')
  await page.getByRole('link', { name: 'New report' }).first().press('Enter')
  const form = page.getByRole('form', { name: 'New report' })
  await form.getByRole('textbox', { name: 'First day' }).fill('2026-13-01')
  await form.getByRole('textbox', { name: 'As of' }).fill('noon')
  await form.getByRole('textbox', { name: 'As of' }).press('Control+Enter')
  await expect(form.getByText('This date does not exist.')).toBeVisible()
  await expect(form.getByText('Enter a date and time, such as 21/11/2026 14:30.')).toBeVisible()
  await expect(form.getByRole('textbox', { name: 'First day' })).toBeFocused()
  await expectAccessible(page)

  await form.getByRole('button', { name: 'This year' }).click()
  await form.getByRole('textbox', { name: 'As of' }).fill('')
  await form.getByRole('combobox', { name: 'Tag' }).fill(tag)
  await expect(page).toHaveURL(new RegExp(`tag=.*${process.pid}`))
  // The address contains the question.
  await page.reload()
  await expect(form.getByRole('combobox', { name: 'Tag' })).toHaveValue(tag)
  await form.getByLabel('Name').fill(tag)
  await form.getByLabel('Name').press('Control+Enter')

  await expect(page.getByRole('heading', { level: 1, name: tag })).toBeVisible()
  const pipeline = page.getByRole('region', { name: 'Pipeline by state' })
  await expect(pipeline).toContainText('Active prospects, as of')
  const heights = await Promise.all(
    ['Print', 'Export', 'Refresh'].map((name) => page.getByRole('button', { name }).boundingBox()),
  )
  expect(new Set(heights.map((box) => box?.height)).size).toBe(1)
  await expect(pipeline.getByRole('row', { name: 'New 2' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Do not contact' })).toContainText('50 %')
  await expect(page.getByRole('region', { name: 'Interactions by outcome' })).toContainText('No answer')
  await expect(page.getByRole('region', { name: 'Businesses with activity' })).toContainText(
    'Had an interaction while marked do not contact',
  )
  await expect(page.getByText('The filter used the values at the time of creation')).toBeVisible()
  await expectAccessible(page)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
  await expect(page.getByRole('navigation')).toBeHidden()
  await expect(pipeline).toBeVisible()
  await page.emulateMedia({ media: 'screen' })

  const before = page.url()
  await createBusiness(page, { name: unique('Counted later'), tags: [tag] })
  await page.getByRole('button', { name: 'Refresh' }).press('Enter')
  await expect(page).not.toHaveURL(before)
  await expect(pipeline.getByRole('row', { name: 'New 3' })).toBeVisible()

  await page.getByRole('link', { name: 'Reports', exact: true }).first().click()
  await expect(page.getByRole('link', { name: tag })).toHaveCount(2)
  await expectAccessible(page)
})

test('server errors appear beside their field; a viewer reads reports and cannot create them', async ({
  page,
  browser,
  baseURL,
}) => {
  await signIn(page, '/reports/new?from=1990-01-01&to=2026-01-01')
  await page.getByRole('button', { name: 'Create report' }).click()
  await expect(page.getByText('At most 1\u00a0830 days')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Last day, included' })).toBeFocused()

  const name = unique('Shared report')
  const { id } = await call<Report>(
    page,
    'POST',
    '/reports',
    { name, from: '2026-11-01', to: '2026-11-30' },
    { 'idempotency-key': name },
  )
  const viewer = await createPerson(browser, baseURL, 'viewer')
  const other = await otherPage(browser, baseURL)
  await signIn(other, `/reports/${id}`, viewer)
  await expect(other.getByRole('region', { name: 'Pipeline by state' })).toBeVisible()
  await expect(other.getByRole('button', { name: 'Refresh' })).toHaveCount(0)
  await other.goto('/reports/new')
  await expect(other.getByRole('heading', { name: 'You cannot create reports' })).toBeVisible()
})

test('a cancelled report says so, and is created by a retry', async ({ page }) => {
  await signIn(page)
  let status = 'running'
  let jobId = ''
  // The API creates a report faster than anyone can cancel it, so the test freezes its status.
  await page.route('**/api/v1/reports/*', async (route) => {
    const answer = await route.fetch()
    const report: Report = await answer.json()
    jobId = report.jobId
    await route.fulfill({
      response: answer,
      json: status === 'succeeded' ? report : { ...report, status, result: null },
    })
  })
  await page.route('**/api/v1/jobs/*', async (route) => {
    const answer = await route.fetch()
    const job = await answer.json()
    const isGoing = status === 'running'
    const progress = { done: 12_000, total: null, unit: 'prospects' }
    await route.fulfill({
      response: answer,
      json: { ...job, status, progress, permitted: { cancel: isGoing, retry: !isGoing } },
    })
  })
  const held = { items: [], nextAfter: 0, isOver: false, forgotten: null }
  await page.route('**/api/v1/jobs/*/events?*', (route) => route.fulfill({ json: held }))
  await page.route('**/api/v1/changes/stream*', (route) => route.abort())
  await page.route('**/api/v1/jobs/*/cancellation', async (route) => {
    status = 'cancelled'
    await route.fulfill({ json: {} })
  })
  await page.route('**/api/v1/jobs/*/retry', async (route) => {
    expect(route.request().url()).toContain(jobId)
    status = 'succeeded'
    await route.fulfill({ status: 201, json: {} })
  })
  await page.goto('/reports/new')
  await page.getByRole('button', { name: 'Create report' }).click()
  const progress = page.getByRole('region', { name: 'Progress' })
  await expect(progress).toContainText('12 000 prospects processed')
  await expectAccessible(page)
  await progress.getByRole('button', { name: 'Cancel' }).click()
  await expect(progress).toContainText('Cancelled')
  await expectAccessible(page)
  await progress.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('region', { name: 'Pipeline by state' })).toBeVisible()
  // Ignore a request that is still pending when the test ends.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('a report that does not exist shows not found', async ({ page }) => {
  await signIn(page, '/reports/01a207eb-39af-7435-9c62-1ffd1dd97bdd')
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
})
