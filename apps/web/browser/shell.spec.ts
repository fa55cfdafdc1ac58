import { expect, test } from './fixtures.ts'
import { signIn } from './steps.ts'

/* Tests of the static shell: the frame that index.html paints with its own styles before the app has loaded. */

test('the frame is painted before styles and script load, and is replaced by the app; the session is requested once', async ({
  page,
}) => {
  await signIn(page)
  const held = Promise.withResolvers<void>()
  await page.route('**/assets/**', async (route) => {
    await held.promise
    await route.continue()
  })
  const sessions: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/v1/session')) sessions.push(request.url())
  })
  const violations: string[] = []
  page.on('console', ({ text }) => text().includes('Content Security Policy') && violations.push(text()))
  await page.goto('/prospects', { waitUntil: 'commit' })
  const shell = page.locator('#shell')
  await expect(shell).toBeVisible()
  await expect
    .poll(() => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length))
    .toBeGreaterThan(0)
  await expect(page.locator('#root')).toBeEmpty()
  held.resolve()
  await expect(page.getByRole('table', { name: 'Prospects' }).or(page.getByText('No prospects yet'))).toBeVisible()
  await expect(shell).toBeHidden()
  expect([sessions.length, violations]).toEqual([1, []])
})
