import type { OneTimeLink } from '@prospect/api-client'
import { createPerson, manageButton, otherPage, workIn } from './accounts.ts'
import { expect, switcher, tenants, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, signIn, unique } from './steps.ts'

test('switching tenant needs no sign-in, and permissions change with it', async ({ page }) => {
  await signIn(page, '/prospects', switcher)
  await workIn(page, tenants.first)
  await page.goto('/settings/people')
  await expect(
    page.getByRole('heading', { level: 1, name: 'You cannot see the people of this workspace' }),
  ).toBeVisible()
  await expectAccessible(page)

  await workIn(page, tenants.second)
  await page.goto('/settings/people')
  await expect(page.getByRole('row', { name: switcher.email })).toContainText('Administrator')

  await workIn(page, tenants.first)
  await page.goto('/settings')
  await expect(page.getByText('Only administrators can change these settings.')).toBeVisible()
})

test('a user whose sessions one tenant ended continues in the other, and must sign in again to enter the first', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = await createPerson(browser, baseURL, 'operator')
  const theirs = await otherPage(browser, baseURL)
  await signIn(theirs, '/prospects', switcher)
  await workIn(theirs, tenants.second)
  const invitation = { email: person.email, name: person.name, role: 'viewer' }
  const { link } = await call<{ link: OneTimeLink }>(theirs, 'POST', '/users', invitation)
  const used = await theirs.request.post('/api/v1/one-time-links/use', {
    data: { token: link.token, password: person.password },
  })
  expect(used.ok(), await used.text()).toBe(true)
  await theirs.context().clearCookies()
  await signIn(theirs, '/prospects', person)
  await workIn(theirs, tenants.second)

  await signIn(page, '/settings/people')
  await (await manageButton(page, person)).click()
  await page.getByRole('menuitem', { name: 'End sessions…' }).click()
  await expect(page.getByRole('dialog')).toContainText('Their sessions in other workspaces continue.')
  await page.getByRole('dialog').getByRole('button', { name: 'End sessions' }).click()
  await expect(page.getByText(`${person.name} had no sessions in this workspace`)).toBeVisible()

  await theirs.getByRole('button', { name: /switch workspace/ }).click()
  await theirs.getByRole('menuitem', { name: tenants.first }).click()
  const refusal = theirs.getByRole('alert').filter({ hasText: `You are still in ${tenants.second}` })
  await expect(refusal).toContainText('Sign out, then sign in again to enter that workspace.')
  await expectAccessible(theirs)
  await expect(theirs.getByRole('dialog')).toHaveCount(0)
  await theirs.context().clearCookies()
  await signIn(theirs, '/prospects', person)
  await workIn(theirs, tenants.first)
  await theirs.context().close()
})

test('the last administrator can neither be deleted nor disabled, and the error explains why', async ({ page }) => {
  await signIn(page, '/prospects', switcher)
  await workIn(page, tenants.second)
  await page.goto('/settings/people')
  for (const [item, button] of [
    ['Delete…', 'Delete'],
    ['Disable…', 'Disable'],
  ] as const) {
    await (await manageButton(page, switcher)).click()
    await page.getByRole('menuitem', { name: item }).click()
    await page.getByRole('button', { name: button, exact: true }).click()
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText('administrator')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  await expect(page.getByRole('row', { name: switcher.email })).not.toContainText('Disabled')
})

test('tenant settings are saved, and a change made by another user meanwhile is shown, not overwritten', async ({
  page,
}) => {
  await signIn(page, '/prospects', switcher)
  await workIn(page, tenants.second)
  await page.goto('/settings')
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  const save = page.getByRole('region', { name: 'Workspace' }).getByRole('button', { name: 'Save' })
  await expect(save).toBeDisabled()
  await name.fill('  ')
  await save.click()
  await expect(name).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)

  const renamed = unique('Renamed tenant')
  await name.fill(renamed)
  await page.getByRole('combobox', { name: 'Time zone' }).click()
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Windhoek')
  await page.getByRole('option', { name: 'Africa/Windhoek' }).click()
  const country = page.getByRole('combobox', { name: 'Country' })
  await expect(country).toHaveValue('South Africa +27')
  await country.click()
  await country.fill('namib')
  await page.getByRole('option', { name: 'Namibia +264' }).click()
  const term = page.getByLabel('Review entries of the do-not-contact list after (months)')
  await term.fill('121')
  await save.click()
  await expect(term).toHaveAttribute('aria-invalid', 'true')
  await term.fill('24')
  await save.click()
  await expect(save).toBeDisabled()
  // The frame updates immediately.
  await expect(page.getByRole('button', { name: new RegExp(`^${renamed}`) })).toBeVisible()

  // Forms update too: the tenant's country is preset for phones.
  await page.goto('/prospects/new')
  await expect(page.getByRole('combobox', { name: 'Country of phone 1' })).toHaveValue('Namibia +264')
  await page.goto('/settings')

  // A half-typed value is restored as a draft; other fields follow the record. After undoing it there is no draft.
  await name.fill('Half a tenant')
  await page.getByRole('link', { name: 'People' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible()
  const left = await (await page.request.get('/api/v1/tenant')).json()
  await call(page, 'PATCH', '/tenant', { timeZone: 'Africa/Maputo' }, { 'if-match': `"${left.version}"` })
  await page.goto('/settings')
  await expect(name).toHaveValue('Half a tenant')
  await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Africa/Maputo')
  await expect(name).toHaveAccessibleDescription(/Unsaved draft/)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.reload()
  await expect(name).toHaveValue(renamed)

  const before = await (await page.request.get('/api/v1/tenant')).json()
  await name.fill('Mine')
  await call(page, 'PATCH', '/tenant', { name: tenants.second }, { 'if-match': `"${before.version}"` })
  await save.click()
  const conflict = page.getByRole('alert', { name: /^Changed by someone else/ })
  await expect(conflict).toContainText(tenants.second)
  await expect(conflict).toContainText('Mine')
  await expect(name).toHaveValue('Mine')
  await conflict.getByRole('radio', { name: tenants.second }).click()
  await expect(name).toHaveValue(tenants.second)
})

test('the chosen format is that of numbers and dates on lists and records', async ({ page }) => {
  await signIn(page, '/prospects', switcher)
  await workIn(page, tenants.second)
  const { id } = await createBusiness(page, { name: unique('Format') })
  const interaction = {
    occurredAt: '2026-01-06T09:00:00Z',
    channel: 'phone',
    outcome: 'connected',
    followUpOn: '2026-01-05',
    acceptPastFollowUp: true,
  }
  await call(page, 'POST', `/businesses/${id}/interactions`, interaction)
  // The list of the server, with a total of four digits.
  await page.route('**/api/v1/businesses?*', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    const total = { value: 1_204, counts: 'matching_set', asOf: '2026-11-21T08:00:00.000Z' }
    await route.fulfill({ response, json: { ...body, page: { ...body.page, total } } })
  })
  const expectFormat = async (number: string, date: string) => {
    await page.goto('/prospects?updatedFrom=2026-01-05')
    await expect(page.getByText(`${number} match`).first()).toBeVisible()
    await expect(page.getByText(date).first()).toBeVisible()
    await page.goto(`/prospects/${id}`)
    await page.getByRole('tab', { name: 'Interactions' }).click()
    await expect(page.getByText(`follow up on ${date}`)).toBeVisible()
  }
  const choose = async (country: string) => {
    await page.goto('/settings')
    const format = page.getByRole('combobox', { name: 'Date and number format' })
    await format.click()
    await format.fill(country)
    await page.getByRole('option', { name: country }).click()
    const save = page.getByRole('region', { name: 'Workspace' }).getByRole('button', { name: 'Save' })
    await save.click()
    await expect(save).toBeDisabled()
  }
  await expectFormat('1\u00a0204', '05 Jan 2026')
  await choose('United States')
  await expectFormat('1,204', 'Jan 5, 2026')
  await choose('South Africa')
  await expectFormat('1\u00a0204', '05 Jan 2026')
})
