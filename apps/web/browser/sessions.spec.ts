import type { OneTimeLink, User } from '@prospect/api-client'
import { createPerson, otherPage, workIn } from './accounts.ts'
import { expect, switcher, tenants, test } from './fixtures.ts'
import { call, expectAccessible, fillSignIn, signIn, unique } from './steps.ts'

test('ending another session makes its page ask for a sign-in', async ({ page, browser, baseURL }) => {
  const person = await createPerson(browser, baseURL, 'operator')
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const elsewhere = await context.newPage()
  await signIn(elsewhere, '/prospects/new', person)
  await elsewhere.getByRole('textbox', { name: 'Registered name' }).fill('Typed elsewhere')

  await signIn(page, '/profile/security', person)
  const sessions = page.getByRole('list', { name: 'Your sessions' }).getByRole('listitem')
  await expect(sessions).toHaveCount(2)
  await expect(sessions.filter({ hasText: 'This session' })).toHaveCount(1)
  await expectAccessible(page)
  await page.getByRole('button', { name: /^End session of/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
  await expect(sessions).toHaveCount(1)

  await elsewhere.keyboard.press('Control+Enter')
  await expect(elsewhere.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible()
  await expect(elsewhere.getByRole('textbox', { name: 'Registered name' })).toHaveValue('Typed elsewhere')
  await context.close()
})

test('a changed password ends all other sessions and is required from then on', async ({ page, browser, baseURL }) => {
  const person = await createPerson(browser, baseURL, 'operator')
  await signIn(page, '/profile/security', person)
  await page.getByRole('button', { name: 'Change password…' }).click()
  await expect(page.getByLabel('Current password', { exact: true })).toBeFocused()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Change password…' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByLabel('Current password', { exact: true }).fill('not the present one')
  await page.getByLabel('New password', { exact: true }).fill('a new one that is long enough')
  await page.getByRole('button', { name: 'Change password', exact: true }).click()
  await expect(page.getByText('Wrong password.')).toBeVisible()
  await expect(page.getByLabel('Current password', { exact: true })).toBeFocused()
  await expectAccessible(page)
  await page.getByLabel('Current password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Change password', exact: true }).click()
  await expect(page.getByText('Password changed.')).toBeVisible()

  // The page continues with the renewed session.
  await page.getByRole('link', { name: 'Profile' }).click()
  await page.context().clearCookies()
  await page.goto('/profile')
  await fillSignIn(page, 'Sign in', { ...person, password: 'a new one that is long enough' })
  await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible()
})

test('after another user signs in in the same browser, an older tab sends no calls under its own user', async ({
  page,
  browser,
  baseURL,
}) => {
  const [first, second] = [
    await createPerson(browser, baseURL, 'operator'),
    await createPerson(browser, baseURL, 'operator'),
  ]
  const other = await page.context().newPage()
  await signIn(page, '/prospects/new', first)
  const name = unique('Typed by the first')
  await page.getByRole('textbox', { name: 'Registered name' }).fill(name)
  await other.goto('/profile')
  await other.getByRole('button', { name: 'Sign out' }).click()
  await fillSignIn(other, 'Sign in', second)
  await expect(other.getByRole('heading', { name: 'Prospects' })).toBeVisible()

  const dialog = page.getByRole('dialog', { name: `${second.name} is now signed in to this browser` })
  await expect(dialog).toContainText(first.name)
  await expect(dialog.getByRole('button')).toBeFocused()
  await expectAccessible(page)
  const asked: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) asked.push(request.url())
  })
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toBeVisible()
  expect(asked).toEqual([])

  // The first user is back: the page continues with its typed text.
  await other.goto('/profile')
  await other.getByRole('button', { name: 'Sign out' }).click()
  await fillSignIn(other, 'Sign in', first)
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('textbox', { name: 'Registered name' })).toHaveValue(name)
  await page.getByRole('button', { name: 'Create prospect' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

  await other.goto('/profile')
  await other.getByRole('button', { name: 'Sign out' }).click()
  await fillSignIn(other, 'Sign in', second)
  await dialog.getByRole('button', { name: `Continue as ${second.name}` }).click()
  await expect(page.getByRole('button', { name: second.name, exact: true })).toBeVisible()
})

test('a tab of one tenant sends no calls while the session is in another tenant', async ({ page }) => {
  await signIn(page, '/prospects', switcher)
  await workIn(page, tenants.first)
  const other = await page.context().newPage()
  await other.goto('/prospects')
  await workIn(other, tenants.second)
  const dialog = page.getByRole('dialog', { name: `This browser now uses ${tenants.second}` })
  await expect(dialog).toContainText(tenants.first)
  await expectAccessible(page)
  await workIn(other, tenants.first)
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Prospects' })).toBeVisible()

  // Or the user switches back from this tab, with its typed text.
  await page.keyboard.press('c')
  await page.getByRole('textbox', { name: 'Registered name' }).fill('Typed in the first')
  await workIn(other, tenants.second)
  await expect(dialog).toBeVisible()
  const changeBack = dialog.getByRole('button', { name: `Switch back to ${tenants.first}` })
  await expect(changeBack).toBeFocused()
  await page.route('**/session/tenant', (route) => route.abort('connectionreset'), { times: 1 })
  await changeBack.click()
  await expect(dialog.getByRole('alert')).toContainText('Could not reach')
  await changeBack.click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('textbox', { name: 'Registered name' })).toHaveValue('Typed in the first')
  await expect(other.getByRole('dialog', { name: `This browser now uses ${tenants.first}` })).toBeVisible()
})

test('signing in again in one tab lets the other tabs continue', async ({ page, browser, baseURL }) => {
  const person = await createPerson(browser, baseURL, 'operator')
  await signIn(page, '/prospects', person)
  const other = await page.context().newPage()
  await other.goto('/prospects')
  await expect(other.getByRole('heading', { name: 'Prospects' })).toBeVisible()
  await page.context().clearCookies()
  for (const tab of [page, other]) {
    // A request that was already on its way may have opened the dialog, which makes the link inert.
    await tab.getByRole('link', { name: 'Jobs' }).dispatchEvent('click')
    await expect(tab.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible()
  }
  await other.getByLabel('Password', { exact: true }).fill(person.password)
  await other.getByRole('button', { name: 'Sign in and continue' }).click()
  await expect(other.getByRole('dialog')).toBeHidden()
  // The event that a browser sends when this tab becomes visible.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'Jobs' })).toBeVisible()
})

test('of two visible windows, the other one continues when it gets the focus', async ({ page, browser, baseURL }) => {
  const person = await createPerson(browser, baseURL, 'operator')
  await signIn(page, '/prospects', person)
  await expect(page.getByRole('heading', { name: 'Prospects' })).toBeVisible()
  await page.context().clearCookies()
  await page.getByRole('link', { name: 'Jobs' }).click()
  await expect(page.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible()
  await signIn(page, null, person)
  // The event that a browser sends if both windows were visible.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'Jobs' })).toBeVisible()
})

test('a user removed from a tenant while working is informed, and continues there after being added again', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = await createPerson(browser, baseURL, 'operator')
  const admin = await otherPage(browser, baseURL)
  await signIn(admin, '/prospects', switcher)
  await workIn(admin, tenants.second)
  const { email, name, password } = person
  const { link } = await call<{ link: OneTimeLink }>(admin, 'POST', '/users', { email, name, role: 'operator' })
  await page.request.post('/api/v1/one-time-links/use', { data: { token: link.token, password } })
  await signIn(page, '/prospects', person)
  await workIn(page, tenants.second)
  await page.goto('/prospects/new')
  await page.getByRole('textbox', { name: 'Registered name' }).fill('Typed in the second')

  const { items }: { items: User[] } = await (await admin.request.get('/api/v1/users?limit=200')).json()
  const user = items.find((item) => item.email === email)
  const change = (status: 'disabled' | 'active', version: number | undefined) =>
    call<User>(admin, 'PATCH', `/users/${user?.id}`, { status }, { 'if-match': `"${version}"` })
  const disabled = await change('disabled', user?.version)
  await page.getByRole('button', { name: 'Create prospect' }).click()
  await fillSignIn(page, 'Sign in and continue', person)
  const leave = page.getByRole('button', { name: `Continue in ${tenants.first}` })
  await expect(page.getByRole('dialog', { name: `You no longer belong to ${tenants.second}` })).toBeVisible()
  await expect(leave).toBeFocused()
  await expectAccessible(page)

  await change('active', disabled.version)
  // The session started after the account was disabled, so it may enter again.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await page.getByRole('button', { name: `Switch back to ${tenants.second}` }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Typed in the second' })).toBeVisible()
  await admin.context().close()
})
