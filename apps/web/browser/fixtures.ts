import { test as base, expect } from '@playwright/test'
import { type RunningApp, startApp } from './server.ts'

export { expect }

/** Accounts in the store of every browser test, which is otherwise empty at the start. */
export const administrator = {
  name: 'Ada Administrator',
  email: 'admin@example.com',
  password: 'a long password for browser tests 41',
}
/** Member of two tenants: operator in the first, only administrator of the second. */
export const switcher = {
  name: 'Sam Switcher',
  email: 'switcher@example.com',
  password: 'a longer password for two tenants 52',
}
export const tenants = { first: 'First Tenant', second: 'Second Tenant' }

/** Environment variable through which global-setup.ts passes the folder of the initial store to the workers. */
export const seedVariable = 'PROSPECT_BROWSER_TESTS_SEED'

/**
 * Playwright's `test` with the running app as base URL, so `page.goto('/')` opens it. Each worker has its own app and store, shared by the tests of
 * one file.
 */
export const test = base.extend<object, { app: RunningApp }>({
  app: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of required fixtures from this pattern
    async ({}, use, { parallelIndex }) => {
      const seed = process.env[seedVariable]
      if (seed === undefined) throw new Error(`global-setup.ts did not set ${seedVariable}.`)
      const app = await startApp({ seed, logName: `worker-${parallelIndex}` })
      await use(app)
      await app.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: ({ app }, use) => use(app.url),
  // Fails the test if the page reports two actions of one layer with the same shortcut.
  page: async ({ page }, use) => {
    const clashes: string[] = []
    page.on('pageerror', ({ message }) => message.startsWith('Action keys clash') && clashes.push(message))
    await use(page)
    expect(clashes).toEqual([])
  },
})
