import type { Browser, CDPSession, Locator, Page, Request } from '@playwright/test'
import type { Invitation, OneTimeLink, Role } from '@prospect/api-client'
import { generateSync } from 'otplib'
import { expect } from './fixtures.ts'
import { call, type Person, signIn, unique } from './steps.ts'

/** Creates a user of the first tenant for one test, through an invitation by the administrator. Nobody is signed in as that user afterwards. */
export async function createPerson(browser: Browser, baseURL: string | undefined, role: Role): Promise<Person> {
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const page = await context.newPage()
  await signIn(page)
  const name = unique('Person')
  const person = {
    name,
    email: `${name.replaceAll(' ', '.').toLowerCase()}@example.com`,
    password: `words for ${name}`,
  }
  const { link } = await call<{ invitation: Invitation; link: OneTimeLink }>(page, 'POST', '/users', {
    email: person.email,
    name,
    role,
  })
  const used = await page.request.post('/api/v1/one-time-links/use', {
    data: { token: link.token, password: person.password },
  })
  expect(used.ok(), await used.text()).toBe(true)
  await context.close()
  return person
}

/** Button that manages a person. The list renders its visible rows only, and those of newer people are at its end. */
export async function manageButton(page: Page, { name }: Pick<Person, 'name'>): Promise<Locator> {
  const button = page.getByRole('button', { name: `Manage ${name}` })
  await expect(page.getByRole('button', { name: /^Manage / }).first()).toBeVisible()
  await expect(async () => {
    await page
      .getByRole('button', { name: /^Manage / })
      .last()
      .scrollIntoViewIfNeeded()
    await expect(button).toBeVisible({ timeout: 500 })
  }).toPass()
  return button
}

/**
 * Code of an authenticator app. Each code works once, so a second one within 30 seconds is the next one: the server accepts a clock that is 30
 * seconds ahead.
 */
export function codeOf(secret: string, which: 'now' | 'next' = 'now'): string {
  const seconds = Math.floor(Date.now() / 1000) + (which === 'next' ? 30 : 0)
  return generateSync({ secret, epoch: seconds })
}

/**
 * Answers dangerous requests as the server does when the last proof is more than 15 minutes old, until the user gives a fresh proof. No test can wait
 * that long.
 */
export async function goStale(page: Page, isDangerous: (request: Request) => boolean): Promise<void> {
  let isFresh = false
  await page.route('**/api/v1/**', async (route) => {
    const request = route.request()
    if (request.url().endsWith('/session/mfa')) {
      const answer = await route.fetch()
      isFresh = answer.ok()
      return route.fulfill({ response: answer })
    }
    if (isFresh || !isDangerous(request)) return route.continue()
    await route.fulfill({
      status: 403,
      contentType: 'application/problem+json',
      json: { type: 'about:blank', title: '', status: 403, detail: '', code: 'step_up_required', requestId: 'r' },
    })
  })
}

export const textOf = async (locator: Locator): Promise<string> => (await locator.textContent()) ?? ''

/** Opens a page in another browser context, which closes with the test. */
export async function otherPage(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  return context.newPage()
}

/** Switches a user with several tenants to the named one, if it is not the current one. */
export async function workIn(page: Page, tenant: string): Promise<void> {
  const menu = page.getByRole('button', { name: /switch workspace/ })
  if ((await textOf(menu)).includes(tenant)) return
  await menu.click()
  await page.getByRole('menuitem', { name: tenant }).click()
  await expect(page.getByRole('button', { name: new RegExp(`^${tenant} ?, switch workspace`) })).toBeVisible()
}

/** Sets up an authenticator app on the Security page. Returns its secret and the recovery codes. */
export async function setUpApp(page: Page): Promise<{ secret: string; usedCode: string; recoveryCodes: string[] }> {
  await page.getByRole('button', { name: 'Set up…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up authenticator app' })
  const secret = (await textOf(dialog.locator('code'))).replaceAll(' ', '')
  const usedCode = codeOf(secret)
  await dialog.getByLabel('Code from the app').fill(usedCode)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  return { secret, usedCode, recoveryCodes: await keepCodes(page, 'Done') }
}

export async function keepCodes(page: Page, done: string): Promise<string[]> {
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const kept = await codes.allTextContents()
  await page.getByLabel('I have saved the codes').check()
  await page.getByRole('button', { name: done, exact: true }).click()
  await expect(codes).toHaveCount(0)
  return kept
}

/** Adds a virtual authenticator that accepts every passkey request. */
export async function addAuthenticator(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return session
}
