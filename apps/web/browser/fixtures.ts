import { test as base, expect } from '@playwright/test'
import { type RunningApp, startApp } from './server.ts'

export { expect }

/** The accounts that every browser test finds in the store, which is otherwise empty when the run begins. */
export const administrator = {
  name: 'Ada Administrator',
  email: 'admin@example.com',
  password: 'a long password for browser tests 41',
}
/** Works in two tenants: an operator in the first, the only administrator of the second. */
export const switcher = {
  name: 'Sam Switcher',
  email: 'switcher@example.com',
  password: 'a longer password for two tenants 52',
}
export const tenants = { first: 'First Tenant', second: 'Second Tenant' }

/** Where global-setup.ts tells the workers the folder of the store that each of them starts from. */
export const seedVariable = 'PROSPECT_BROWSER_TESTS_SEED'

/**
 * Playwright's `test` with the running app as base URL: `page.goto('/')` opens it. Each worker has an app and a store of its own,
 * which the tests of one file after the other share.
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
  // The page reports two actions of one layer with the same keys: that fails the test.
  page: async ({ page }, use) => {
    const clashes: string[] = []
    page.on('pageerror', ({ message }) => message.startsWith('Action keys clash') && clashes.push(message))
    await use(page)
    expect(clashes).toEqual([])
  },
})
