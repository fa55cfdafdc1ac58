import { test as base } from '@playwright/test'

export { expect } from '@playwright/test'

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

/** Where global-setup.ts tells the tests' process the address of the app. */
export const appUrlVariable = 'PROSPECT_BROWSER_TESTS_URL'

/** Playwright's `test` with the running app as base URL: `page.goto('/')` opens it. */
export const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures it must make from this pattern
  baseURL: async ({}, use) => {
    await use(process.env[appUrlVariable])
  },
})
