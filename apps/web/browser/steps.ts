import type { Locator, Page } from '@playwright/test'
import type { Business, BusinessInput, Session } from '@prospect/api-client'
import axe from 'axe-core'
import { administrator, expect } from './fixtures.ts'

type RunOnly = NonNullable<axe.RunOptions['runOnly']>

declare global {
  interface Window {
    axe: typeof axe
  }
}

let made = 0

/** A name that no other test of this run uses, because tests share a store and must not depend on each other. */
export function unique(name: string): string {
  made += 1
  return `${name} ${process.pid}-${Date.now()}-${made}`
}

export type Person = { name: string; email: string; password: string }

/** Fills in and submits the visible sign-in form. */
export async function fillSignIn(page: Page, button = 'Sign in', person: Person = administrator): Promise<void> {
  const email = page.getByLabel('Email address')
  if ((await email.inputValue()) === '') await email.fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: button, exact: true }).click()
}

/** Signs in through the form and waits for `path`. */
export async function signInByForm(page: Page, path = '/prospects', person: Person = administrator): Promise<void> {
  await page.goto(path)
  await fillSignIn(page, 'Sign in', person)
  // The address changes before the page does.
  await expect(page).not.toHaveURL(/\/sign-in/)
  await expect(page.getByRole('heading', { name: 'Sign in to Prospect Platform' })).toBeHidden()
}

/** Signs in through the API, for tests of later steps, and opens `path` if given. */
export async function signIn(page: Page, path: string | null = null, person: Person = administrator): Promise<void> {
  const { email, password } = person
  const answer = await page.request.post('/api/v1/session', { data: { email, password } })
  expect(answer.status(), await answer.text()).toBe(201)
  if (path !== null) await page.goto(path)
}

/** A change through the API, as another user or tab would make it, with the session of this browser. */
export async function call<T>(
  page: Page,
  method: 'POST' | 'PUT' | 'PATCH',
  path: string,
  data: unknown,
  headers: Record<string, string> = {},
): Promise<T> {
  const session: Session = await (await page.request.get('/api/v1/session')).json()
  const answer = await page.request.fetch(`/api/v1${path}`, {
    method,
    data,
    headers: { 'x-csrf-token': session.csrfToken, ...headers },
  })
  expect(answer.ok(), await answer.text()).toBe(true)
  return await answer.json()
}

export function createBusiness(page: Page, input: BusinessInput): Promise<Business> {
  return call<Business>(page, 'POST', '/businesses', input)
}

/** The toast of a pipeline move: closing it sends the move. */
const moveToast = (page: Page, name: string) => page.getByRole('alert').filter({ hasText: `${name}: moving to` })

/** Opens a tab of a record. Those beyond daily work are in a menu. */
export async function openSection(page: Page, name: string): Promise<void> {
  const tab = page.getByRole('tab', { name })
  const more = page.getByRole('button', { name: 'More sections' })
  await expect(tab.or(more).first()).toBeVisible()
  if (await tab.isVisible()) return tab.click()
  await more.click()
  await page.getByRole('menuitem', { name, exact: true }).click()
  await expect(tab).toHaveAttribute('aria-selected', 'true')
}

/** Presses a key that opens a dialog. After Enter has closed another one, single keys rest for a moment. */
export async function pressToOpen(page: Page, key: string, dialog: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press(key)
    await expect(dialog).toBeVisible({ timeout: 2_000 })
  }).toPass()
}

/** Sends a move that can still be undone. */
export async function sendMove(page: Page, name: string): Promise<void> {
  await moveToast(page, name).getByRole('button', { name: 'Dismiss' }).click()
}

const rules: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}
const rulesOfColour: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/**
 * Expects no violation of WCAG 2.2 AA in either theme. The themes differ only in colours, so the second run checks only those. The current theme is first,
 * because each change of the theme takes longer than a check of the colours.
 */
export async function expectAccessible(page: Page): Promise<void> {
  // A page that still loads has no heading yet.
  await expect(page.locator('h1').first()).toBeAttached()
  const html = page.locator('html')
  const isDark = (await html.getAttribute('data-mantine-color-scheme')) === 'dark'
  const themes = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(html).toHaveAttribute('data-mantine-color-scheme', colorScheme)
    // Colours in transition between the themes have no meaningful contrast.
    await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
    expect(await violationsOf(page, colorScheme === themes[0] ? rules : rulesOfColour), colorScheme).toEqual([])
  }
}

/**
 * Runs axe in the page. No page has frames, so AxeBuilder is not needed: it would load axe again for each run, which takes as long as the colour rules.
 */
async function violationsOf(page: Page, runOnly: RunOnly): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async (chosen) => {
    // Details of what passed would double the time.
    const { violations } = await window.axe.run(document, { runOnly: chosen, resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
    )
  }, runOnly)
}

/**
 * Advances the clock past a refresh until the condition holds. The timer of a refresh starts when the page has its first answers, and a busy machine
 * can receive them after the first advance.
 */
export async function untilRefreshed(
  page: Page,
  holds: (options: { timeout: number }) => Promise<void>,
): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(31_000)
    await holds({ timeout: 3_000 })
  }).toPass()
}
