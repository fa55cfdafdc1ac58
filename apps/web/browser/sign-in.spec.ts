import { createPerson } from './accounts.ts'
import { administrator, expect, test } from './fixtures.ts'
import { createBusiness, expectAccessible, fillSignIn, signIn, unique } from './steps.ts'

test('a failed sign-in keeps the typed text and gives the same message for any account', async ({ page }) => {
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('Enter your email address.')).toBeVisible()
  await expect(page.getByText('Enter your password.')).toBeVisible()
  await expect(page.getByLabel('Email address')).toBeFocused()
  await expectAccessible(page)

  await page.getByLabel('Email address').fill('nobody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('not the password of anybody')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('The email address or password is wrong.')).toBeVisible()
  await expect(page.getByLabel('Email address')).toHaveValue('nobody@example.com')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
})

test('a rate-limited sign-in shows the remaining wait', async ({ page }) => {
  await page.route('**/api/v1/session', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fulfill({
      status: 429,
      headers: { 'retry-after': '90' },
      contentType: 'application/problem+json',
      json: { type: 'about:blank', title: 'Too many', status: 429, detail: '', code: 'rate_limited', requestId: 'r' },
    })
  })
  await page.goto('/sign-in')
  await fillSignIn(page)
  await expect(page.getByRole('alert')).toContainText('Wait 1 minute 30 seconds, then sign in again.')
})

test('an expired session is renewed over the page, and the pending save continues', async ({ page }) => {
  await signIn(page)
  const { id } = await createBusiness(page, { name: unique('Lapsed') })
  await page.goto(`/prospects/${id}?tab=notes`)
  await page.getByLabel('New note').fill('Typed before the session ended')

  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Add note' }).click()

  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await expect(dialog).toBeVisible()
  await expect(dialog.getByLabel('Email address')).toHaveValue(administrator.email)
  await expect(page.getByLabel('New note')).toHaveValue('Typed before the session ended')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  await expectAccessible(page)

  await fillSignIn(page, 'Sign in and continue')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('list', { name: 'Notes, newest first' })).toContainText('Typed before the session ended')
  await expect(page.getByLabel('New note')).toHaveValue('')
})

test('a page that was loaded while the service was away reloads when the connection is back', async ({ page }) => {
  await signIn(page, '/prospects')
  await expect(page.getByRole('heading', { name: 'Prospects' })).toBeVisible()
  await page.route('**/api/v1/**', (route) => route.abort('connectionrefused'))
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('reloads when the connection is back')
  await expectAccessible(page)
  await page.unroute('**/api/v1/**')
  await expect(page.getByRole('heading', { name: 'Prospects' })).toBeVisible()
})

test('the profile shows the user and can sign out', async ({ page }) => {
  await signIn(page, '/profile')
  await expect(page.getByRole('main').getByText(administrator.email)).toBeVisible()
  await expect(page.getByRole('main').getByText('Verify the audit log')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to Prospect Platform' })).toBeVisible()
  await page.goto('/profile')
  await expect(page.getByRole('heading', { name: 'Sign in to Prospect Platform' })).toBeVisible()
})

test('a password that must be changed at sign-in is not requested twice', async ({ page, browser, baseURL }) => {
  const person = await createPerson(browser, baseURL, 'operator')
  await page.route('**/api/v1/session', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), hold: 'password_change' } })
  })
  await page.goto('/prospects')
  await fillSignIn(page, 'Sign in', person)
  const chosen = page.getByLabel('New password', { exact: true })
  await expect(chosen).toBeVisible()
  await expect(page.getByLabel('Current password', { exact: true })).toHaveCount(0)
  // Nobody can arrive here with a password that a reset invalidated.
  await expect(page.getByText('Someone else set this password')).not.toContainText('use the link')
  await chosen.fill('chosen right after signing in 96')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Prospects' })).toBeVisible()
})

test('a crafted sign-in link never leaves the site: when signed in, after a sign-in, or on reload', async ({
  page,
  app,
}) => {
  const { origin } = new URL(app.url)
  const elsewhere: string[] = []
  await page.route(
    (url) => url.origin !== origin,
    (route) => {
      elsewhere.push(route.request().url())
      return route.fulfill({ contentType: 'text/html', body: '<h1>Elsewhere</h1>' })
    },
  )
  page.on('dialog', (dialog) => {
    elsewhere.push(dialog.message())
    void dialog.dismiss()
  })
  const prospects = page.getByRole('heading', { level: 1, name: 'Prospects' })
  for (const next of [
    'https://evil.example/x',
    '//evil.example/x',
    'https:evil.example/x',
    '/\\evil.example/x',
    '\\\\evil.example/x',
    'javascript:alert(document.domain)',
  ]) {
    const link = `/sign-in?next=${encodeURIComponent(next)}`
    await page.context().clearCookies()
    await page.goto(link)
    await expect(page.getByText('Sign in to continue.')).toBeVisible()
    await fillSignIn(page)
    await expect(prospects).toBeVisible()
    await page.reload()
    await expect(prospects).toBeVisible()
    await page.goto(link)
    await expect(prospects).toBeVisible()
    expect([next, new URL(page.url()).origin, elsewhere]).toEqual([next, origin, []])
  }
  // A page of this app still opens.
  await page.goto('/sign-in?next=%2Fjobs%3Fstatus%3Dfailed')
  await expect(page.getByRole('heading', { level: 1, name: 'Jobs' })).toBeVisible()
  await expect(page).toHaveURL(/\/jobs\?status=failed$/)
})
