import type { Page } from '@playwright/test'
import type { AddedSuppression } from '@prospect/api-client'
import { createPerson } from './accounts.ts'
import { expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, openSection, signIn, unique } from './steps.ts'

const places = (page: Page) => page.getByRole('navigation', { name: 'Places' })

const tab = async (page: Page, name: string) => {
  await openSection(page, name)
  await expect(page.getByRole('tabpanel', { name })).toBeVisible()
}

test('a viewer reads every part of a record and is offered no forbidden action', async ({ page, browser, baseURL }) => {
  const person = await createPerson(browser, baseURL, 'viewer')
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const desk = await context.newPage()
  await signIn(desk)
  const { id } = await createBusiness(desk, { name: unique('Read by a viewer'), industry: 'Energy' })
  await call(desk, 'POST', `/businesses/${id}/notes`, { text: 'Plain for everybody' })
  await call(desk, 'POST', `/businesses/${id}/notes`, { text: 'Kept from most', sensitive: true })
  await call(desk, 'POST', '/match-runs', {}, { 'idempotency-key': id })
  await context.close()

  await signIn(page, `/prospects/${id}`, person)
  await expect(page.getByRole('region', { name: 'Your role' })).toContainText('you can view this record')
  for (const name of ['Move', 'Edit', 'Note', 'New prospect']) {
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)
    await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Copy the link'])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menuitem')).toHaveCount(0)
  await expectAccessible(page)
  await tab(page, 'Evidence')
  await expect(page.getByRole('tabpanel').getByRole('button', { name: /Add/ })).toHaveCount(0)
  await tab(page, 'Notes')
  await expect(page.getByText('Plain for everybody')).toBeVisible()
  await expect(page.getByText('Your role cannot read this note.')).toBeVisible()
  await expect(page.getByText('Kept from most')).toHaveCount(0)
  await expect(page.getByRole('form', { name: 'Write a note' })).toHaveCount(0)
  await tab(page, 'Pipeline')
  await expect(page.getByRole('tabpanel').getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('tabpanel')).toContainText(/role/)
  await tab(page, 'Activity')
  await expectAccessible(page)

  // A link to the editor shows the read-only record; shortcuts do nothing.
  await page.goto(`/prospects/${id}?tab=edit`)
  await expect(page.getByRole('tabpanel', { name: 'Overview' })).toBeVisible()
  await page.keyboard.press('e')
  await expect(page.getByRole('textbox', { name: 'Registered name' })).toHaveCount(0)

  // Forbidden pages are not offered, and their addresses show a page that says so.
  await expect(places(page).getByRole('link', { name: 'Prospects' })).toBeVisible()
  await expect(places(page).getByRole('link', { name: 'Audit' })).toHaveCount(0)
  await page.goto('/audit')
  await expect(page.getByRole('heading', { level: 1, name: 'You cannot see the audit log' })).toBeVisible()
  await expectAccessible(page)
  await page.goto('/prospects/new')
  await expect(page.getByRole('heading', { level: 1, name: 'You cannot add prospects' })).toBeVisible()
  for (const [address, denied] of [
    ['/sources', 'You cannot see the sources'],
    ['/sources/incidents', 'You cannot see the incident records'],
    ['/sources/csv-preview', 'You cannot see CSV previews'],
    ['/suppression/paste', 'You cannot add entries to the do-not-contact list'],
    ['/settings/people', 'You cannot see the people of this workspace'],
  ] as const) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1, name: denied })).toBeVisible()
    await expect(page).toHaveTitle(`${denied} · Prospect Platform`)
  }
  // A scan that the role cannot see must not be reported as missing.
  await page.goto('/jobs')
  await expect(page.getByText('No jobs yet')).toBeVisible()
  await page.goto(`/duplicates?q=${id}`)
  await expect(page.getByText('No pairs match')).toBeVisible()
  await expect(page.getByText('full scan')).toHaveCount(0)
  await page.goto('/settings')
  const settings = page.getByRole('navigation', { name: 'Settings' })
  await expect(settings.getByRole('link')).toHaveText([
    'General',
    'Assistance',
    'Draft templates',
    'Draft policies',
    'Roles',
    'Limits and use',
    'Retention',
  ])
})

test('an operator works on a record; forbidden actions are explained where users look for them', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = await createPerson(browser, baseURL, 'operator')
  await signIn(page, '/prospects', person)
  await expect(places(page).getByRole('link', { name: 'Prospects' })).toBeVisible()
  await expect(places(page).getByRole('link', { name: 'Audit' })).toHaveCount(0)
  const { id } = await createBusiness(page, { name: unique('Worked by an operator') })
  await page.goto(`/prospects/${id}?tab=notes`)
  const note = page.getByLabel('New note')
  await note.fill('Their director is ill, say nothing')
  await page.getByRole('switch', { name: 'Sensitive' }).check()
  const composer = page.getByRole('form', { name: 'Write a note' })
  await expect(composer).toContainText('Only you, administrators and managers can read the text')
  await expect(composer).toContainText('lost when you close this tab')
  await expectAccessible(page)

  // The tab keeps the draft across a reload; nothing that outlives the tab does.
  const kept = () =>
    page.evaluate(() => ({ local: JSON.stringify({ ...localStorage }), tab: JSON.stringify({ ...sessionStorage }) }))
  expect((await kept()).local).not.toContain('director')
  expect((await kept()).tab).toContain('director')
  await page.reload()
  await expect(note).toHaveValue('Their director is ill, say nothing')
  await expect(page.getByRole('switch', { name: 'Sensitive' })).toBeChecked()
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(note).toHaveValue('')
  await expect(page.getByRole('tabpanel').getByText('Their director is ill, say nothing')).toBeVisible()
  expect((await kept()).tab).not.toContain('director')

  await page.goto('/settings')
  await expect(page.getByText('Only administrators can change these settings.')).toBeVisible()
  await page.goto('/settings/security-events')
  await expect(page.getByRole('heading', { level: 1, name: 'You cannot see the security events' })).toBeVisible()
  await expectAccessible(page)
})

test('a name cannot reverse the text around it, shows its hidden characters, and is stored unchanged', async ({
  page,
}) => {
  await signIn(page)
  const name = `${unique('Turned')} \u202Eknab`
  const email = `turned-${process.pid}-${Date.now()}@example.com`
  const { id } = await createBusiness(page, { name, emails: [{ value: email }] })
  await page.goto(`/prospects/${id}`)
  const title = page.getByRole('heading', { level: 1 })
  await expect(title).toContainText('U+202E')
  expect(await title.textContent()).not.toContain('\u202E')
  await expect(page).toHaveTitle(/\[U\+202E\]knab/)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Registered name' })).toHaveValue(name)

  const { suppression } = await call<AddedSuppression>(page, 'POST', '/suppressions', {
    kind: 'email',
    value: email,
    reason: 'They asked.',
    channel: 'phone',
  })
  await page.goto(`/suppression/${suppression.id}`)
  await expect(page.getByRole('link', { name: /^Turned .*knab/ })).toContainText('U+202E')
})

test('a list filtered by assignee shows the record beside it', async ({ page }) => {
  await signIn(page, '/prospects?assignee=none')
  const name = unique('Nobody looks after')
  await createBusiness(page, { name })
  await page.reload()
  await page.getByRole('button', { name: /Assignee: / }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name }).click()
  await expect(page.getByRole('complementary', { name: 'Record' }).getByRole('tabpanel')).toContainText('Assignee')
})
