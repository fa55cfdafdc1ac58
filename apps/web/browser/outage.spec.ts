import { expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, signIn, unique } from './steps.ts'

test('when the service responds again, everything that failed is loaded again, whatever noticed it first', async ({
  page,
}) => {
  await signIn(page, '/prospects')
  await expect(page.getByRole('heading', { name: 'Prospects' })).toBeVisible()
  await page.route('**/api/v1/**', (route) => route.abort('connectionrefused'))
  await page.getByRole('link', { name: 'Jobs' }).click()
  await expect(page.getByText('The server is not responding.')).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/api/v1/**')
  // The list polls and gets a response before the notice does; the kinds of jobs are requested only once.
  await page.route('**/api/v1/health/live', (route) => route.abort('connectionrefused'))
  await expect(page.getByText('The server is not responding.')).toBeHidden()
  await expect(page.getByRole('button', { name: 'New job' })).toBeVisible()
})

test('an offline save says that the device is offline, and the notice clears when the network is back', async ({
  page,
}) => {
  await signIn(page)
  const { id } = await createBusiness(page, { name: unique('Offline') })
  await page.goto(`/prospects/${id}?tab=notes`)
  const note = page.getByRole('textbox', { name: 'Note' })
  await note.fill('Written in a tunnel')
  await page.context().setOffline(true)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('You are offline, so nothing was sent.')).toBeVisible()
  await expect(page.getByText('You are offline.')).toBeVisible()
  await expectAccessible(page)
  await page.context().setOffline(false)
  await expect(page.getByText('You are offline.')).toBeHidden()
  await expect(page.getByText('The server is not responding.')).toBeHidden()
  // The first request after an outage can still fail; the same text is then sent again under its key, and is added once.
  await expect(async () => {
    await note.press('Control+Enter')
    await expect(page.getByRole('listitem').filter({ hasText: 'Written in a tunnel' })).toBeVisible({ timeout: 3_000 })
  }).toPass()
  await expect(page.getByRole('listitem').filter({ hasText: 'Written in a tunnel' })).toHaveCount(1)
})

test('during an outage prefetched parts open, and others load when it is over', async ({ page }) => {
  // Parts are prefetched when the browser is idle.
  test.slow()
  // The page loads more files than the 250 that a browser records.
  await page.addInitScript(() => performance.setResourceTimingBufferSize(2_000))
  await signIn(page, '/prospects')
  await expect(page.getByRole('heading', { name: 'Prospects' })).toBeVisible()
  await page.waitForFunction(() =>
    ['shortcut-list', 'record-view', 'board'].every((file) =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes(`/assets/${file}-`)),
    ),
  )
  await page.route('**/*', (route) => route.abort('connectionrefused'))
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByText('Board', { exact: true }).click()
  await expect(page.getByText('The server is not responding.')).toBeVisible()
  await page.getByRole('button', { name: 'Export' }).click()
  await page.unroute('**/*')
  await expect(page.getByRole('dialog', { name: 'Export prospects' })).toBeVisible()
  await expect(page.getByText('The server is not responding.')).toBeHidden()
})

test('a file served by the web server does not count as a response of the service', async ({ page }) => {
  let handOut = () => {}
  const mayComeNow = new Promise<void>((resolve) => {
    handOut = resolve
  })
  await page.route('**/assets/shortcut-list-*', async (route) => {
    await mayComeNow
    await route.continue()
  })
  await signIn(page, '/prospects')
  await expect(page.getByRole('heading', { name: 'Prospects' })).toBeVisible()
  const asked: string[] = []
  await page.route('**/api/v1/**', (route) => {
    asked.push(new URL(route.request().url()).pathname)
    return route.abort('connectionrefused')
  })
  await page.getByRole('link', { name: 'Audit', exact: true }).click()
  await expect(page.getByText('The server is not responding.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  const before = asked.filter((path) => path.endsWith('/session')).length
  await page.keyboard.press('?')
  handOut()
  await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible()
  await page.waitForRequest('**/api/v1/health/live')
  expect(asked.filter((path) => path.endsWith('/session'))).toHaveLength(before)
  await expect(page.getByText('The server is not responding.')).toBeVisible()
})

test('a screen that failed to load during an outage opens normally when it is over', async ({ page }) => {
  await signIn(page, '/prospects')
  await expect(page.getByRole('heading', { name: 'Prospects' })).toBeVisible()
  await page.route('**/*', (route) => route.abort('connectionrefused'))
  await page.getByRole('link', { name: 'Audit', exact: true }).click()
  await expect(page.getByRole('main').getByText('The server is not responding.')).toBeVisible()
  await page.unroute('**/*')
  const title = page.getByRole('heading', { level: 1, name: 'Audit' })
  await expect(title).toBeVisible()
  // The notice above the page goes with the next answer of the service.
  await expect(page.getByText('The server is not responding.')).toHaveCount(0)
  const place = await title.boundingBox()
  await page.reload()
  await expect(title).toBeVisible()
  expect(await title.boundingBox()).toEqual(place)
})

test('a failed refresh keeps the facts and a reason that is being typed', async ({ page }) => {
  await signIn(page)
  const { id } = await createBusiness(page, { name: unique('Refreshed') })
  for (const to of ['contacted', 'qualified', 'proposal', 'negotiation', 'won'])
    await call(page, 'POST', `/businesses/${id}/pipeline-transitions`, { to })
  const fail = { status: 500, json: { code: 'internal', title: 'Failed', status: 500, detail: 'The job failed.' } }

  await page.goto(`/prospects/${id}`)
  await expect(page.getByRole('region', { name: 'Identity' })).toBeVisible()
  await page.route('**/api/v1/businesses/*/facts', (route) => route.fulfill(fail))
  const asked = page.waitForResponse(/\/facts$/)
  await page.getByRole('button', { name: 'Edit assignee' }).click()
  await page.getByRole('combobox', { name: /^Assignee of/ }).click()
  await page.getByRole('option').first().click()
  await asked
  await expect(page.getByRole('region', { name: 'Identity' })).toBeVisible()

  await page.goto(`/prospects/${id}?tab=pipeline`)
  const tab = page.getByRole('tabpanel')
  await tab.getByRole('button', { name: /…$/ }).first().click()
  await tab.getByLabel('Reason').fill('They went with another')
  await page.route('**/api/v1/pipeline', (route) => route.fulfill(fail))
  await page.route('**/pipeline-transitions', (route) => route.fulfill(fail))
  const askedAgain = page.waitForResponse(/\/api\/v1\/pipeline$/)
  await page.keyboard.press('Control+Enter')
  await askedAgain
  await expect(tab.getByRole('alert')).not.toBeEmpty()
  await expect(tab.getByLabel('Reason')).toHaveValue('They went with another')
})
