import type { Page } from '@playwright/test'
import { codeOf, createPerson, otherPage, setUpApp } from './accounts.ts'
import { type CompanyProvider, startCompanyProvider } from './company-provider.ts'
import { administrator, test as base, expect, seedVariable } from './fixtures.ts'
import { startApp } from './server.ts'
import { call, expectAccessible, fillSignIn, type Person, signIn } from './steps.ts'

/** The app connected to a provider that runs on this machine. */
const test = base.extend<object, { provider: CompanyProvider }>({
  provider: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of required fixtures from this pattern
    async ({}, use) => {
      const provider = await startCompanyProvider()
      await use(provider)
      await provider.stop()
    },
    { scope: 'worker' },
  ],
  app: [
    async ({ provider }, use, { parallelIndex }) => {
      const seed = process.env[seedVariable] ?? ''
      const app = await startApp({ seed, logName: `company-${parallelIndex}`, settings: provider.settings })
      provider.register(app.url)
      await use(app)
      await app.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

const security = (page: Page) => page.getByRole('heading', { level: 1, name: 'Security' })
const accounts = (page: Page) => page.getByRole('list', { name: 'Your company accounts' })

/** Signs in on the pages of the provider, and consents if it asks. */
async function signInAtProvider(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(name)
  await page.getByPlaceholder('and password').fill('any password')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

async function linkAccount(page: Page, person: Person): Promise<void> {
  await page.getByRole('button', { name: 'Link…' }).click()
  await signInAtProvider(page, person.email)
  await expect(accounts(page)).toContainText('never used')
}

test('a company account is linked, signs in with the second factor of the platform, and is unlinked', async ({
  page,
  browser,
  baseURL,
  provider,
}) => {
  const person = await createPerson(browser, baseURL, 'operator')
  await signIn(page, '/profile/security', person)
  const { secret } = await setUpApp(page)
  await expect(accounts(page)).toContainText('Not linked')
  await expectAccessible(page)
  await linkAccount(page, person)
  await expect(page).toHaveURL(/\/profile\/security$/)

  // The link counts in every browser, and is not the session of this one.
  const other = await otherPage(browser, baseURL)
  await other.goto('/profile/security')
  const button = other.getByRole('button', { name: 'Sign in with Example Directory' })
  await expect(button).toBeVisible()
  await expectAccessible(other)
  await button.focus()
  await other.keyboard.press('Enter')
  await signInAtProvider(other, person.email)
  await expect(other.getByRole('heading', { name: 'One more step' })).toBeVisible()
  await other.getByLabel('Code').fill(codeOf(secret, 'next'))
  await other.getByRole('button', { name: 'Continue' }).click()
  await expect(security(other)).toBeVisible()
  await expect(accounts(other)).toContainText('last used')

  // The page of the answer is not in the history, so the browser cannot send the answer again.
  await other.reload()
  await expect(security(other)).toBeVisible()

  await other.getByRole('button', { name: 'Unlink…' }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click()
  await expect(accounts(other)).toContainText('Not linked')

  await other.context().clearCookies({ name: 'prospect_session' })
  await other.goto('/sign-in')
  await other.getByRole('button', { name: 'Sign in with Example Directory' }).click()
  await other.getByRole('button', { name: 'Continue' }).click()
  await expect(other.getByRole('heading', { name: 'Not signed in' })).toBeVisible()
  await expect(other.getByRole('alert')).toContainText('not linked to an account here')
  await expectAccessible(other)
  await other.getByRole('link', { name: 'Back to sign-in' }).click()
  await expect(other.getByRole('heading', { name: 'Sign in to Prospect Platform' })).toBeVisible()

  // Only browsers reach the provider.
  expect(provider.agents.filter((agent) => !agent.includes('Chrome'))).toEqual([])
  expect(provider.agents.length).toBeGreaterThan(4)
})

test('an invitation is accepted with a password and links the company account, which administrators see', async ({
  page,
  browser,
  baseURL,
}) => {
  const invitee = { name: 'Ina Invited', email: 'ina@example.com', password: 'words that ina alone chose 37' }
  await signIn(page)
  const { link } = await call<{ link: { token: string } }>(page, 'POST', '/users', {
    email: invitee.email,
    name: invitee.name,
    role: 'viewer',
  })
  const other = await otherPage(browser, baseURL)
  await other.goto(`/welcome#${link.token}`)
  await other.getByLabel('Password', { exact: true }).fill(invitee.password)
  await other.getByLabel('Then link Example Directory, to sign in with it').check()
  await expectAccessible(other)
  await other.getByRole('button', { name: 'Set password and sign in' }).click()
  await signInAtProvider(other, invitee.email)
  await expect(other.getByRole('heading', { level: 1, name: 'Prospects' })).toBeVisible()

  await page.goto('/settings/people')
  await expect(page.getByText('Company account', { exact: true })).toBeVisible()
})

test('an account that is linked elsewhere, and a cancelled sign-in, are explained', async ({
  page,
  browser,
  baseURL,
}) => {
  const [first, second] = [
    await createPerson(browser, baseURL, 'viewer'),
    await createPerson(browser, baseURL, 'viewer'),
  ]
  const other = await otherPage(browser, baseURL)
  await signIn(other, '/profile/security', first)
  await linkAccount(other, first)

  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, '/profile/security', second)
  await page.getByRole('button', { name: 'Link…' }).click()
  await signInAtProvider(page, first.email)
  await expect(page.getByRole('heading', { name: 'Account not linked' })).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('already linked to another account')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Back to Security' }).click()
  await expect(accounts(page)).toContainText('Not linked')

  await page.context().clearCookies()
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Sign in with Example Directory' }).click()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page.getByRole('alert')).toContainText('The provider did not sign you in.')
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await fillSignIn(page, 'Sign in', administrator)
  await expect(page.getByRole('heading', { level: 1, name: 'Prospects' })).toBeVisible()
})
