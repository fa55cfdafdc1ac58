import type { Browser, CDPSession, Locator, Page, Request } from '@playwright/test'
import type { Invitation, OneTimeLink, Role } from '@prospect/api-client'
import { generateSync } from 'otplib'
import { expect } from './fixtures.ts'
import { call, type Person, signIn, unique } from './steps.ts'

/** A person of the first tenant whom no other test knows, invited by the administrator; nobody is signed in as them. */
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

/**
 * The code of an authenticator app. None is taken twice, so a second one within half a minute is the next: a clock that
 * is 30 seconds ahead is accepted.
 */
export function codeOf(secret: string, which: 'now' | 'next' = 'now'): string {
  const seconds = Math.floor(Date.now() / 1000) + (which === 'next' ? 30 : 0)
  return generateSync({ secret, epoch: seconds })
}

/**
 * As the server answers what is dangerous when the last proof is more than 15 minutes old: until the person has shown another. No test
 * waits for that.
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

/** The page of somebody else, in a browser of their own that ends with the test. */
export async function otherPage(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  return context.newPage()
}

/** Of somebody who belongs to several tenants: from whichever the page works in. */
export async function workIn(page: Page, tenant: string): Promise<void> {
  const menu = page.getByRole('button', { name: /switch workspace/ })
  if ((await textOf(menu)).includes(tenant)) return
  await menu.click()
  await page.getByRole('menuitem', { name: tenant }).click()
  await expect(page.getByRole('button', { name: new RegExp(`^${tenant} ?, switch workspace`) })).toBeVisible()
}

/** On the Security page: sets an authenticator app up and keeps the recovery codes. */
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
  await page.getByLabel('I have saved them').check()
  await page.getByRole('button', { name: done, exact: true }).click()
  await expect(codes).toHaveCount(0)
  return kept
}

/** A device that holds passkeys and says yes to everything. */
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
