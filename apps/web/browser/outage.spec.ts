import { expect, test } from './fixtures.ts'
import { expectAccessible, signIn } from './steps.ts'

test('when the service answers again, all that failed meanwhile is asked for anew, whoever noticed first', async ({
  page,
}) => {
  await signIn(page)
  await expect(page.getByRole('heading', { name: 'Prospects' })).toBeVisible()
  await page.route('**/api/v1/**', (route) => route.abort('connectionrefused'))
  await page.getByRole('link', { name: 'Jobs' }).click()
  await expect(page.getByText('The service does not answer.')).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/api/v1/**')
  // The list asks by itself and gets an answer before the notice does; the kinds of jobs were asked for once.
  await page.route('**/api/v1/health/live', (route) => route.abort('connectionrefused'))
  await expect(page.getByText('The service does not answer.')).toBeHidden()
  await expect(page.getByRole('button', { name: 'New job' })).toBeVisible()
})
