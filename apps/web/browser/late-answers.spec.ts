import type { Page, Request } from '@playwright/test'
import type { MatchSuggestionSummary, Page as PageOf } from '@prospect/api-client'
import { expect, test } from './fixtures.ts'
import { call, createBusiness, sendMove, signIn, unique } from './steps.ts'

/* Journeys in which the user continues before a response arrives. */

/** Creates two records with the same name and phone, and waits for the suggestion that they are duplicates. */
async function suggestedPair(page: Page, what: string): Promise<{ name: string; id: string; pairId: string }> {
  const name = unique(what)
  const facts = { name, phones: [{ value: `+27 41 ${String(Date.now()).slice(-7)}` }] }
  const { id } = await createBusiness(page, facts)
  await createBusiness(page, facts)
  let pairId = ''
  await expect(async () => {
    const pairs: PageOf<MatchSuggestionSummary> = await (
      await page.request.get(`/api/v1/match-suggestions?businessId=${id}`)
    ).json()
    expect(pairs.items).toHaveLength(1)
    pairId = pairs.items[0]?.id ?? ''
  }).toPass()
  return { name, id, pairId }
}

/** Delays responses to matching POSTs until `release` is called. */
async function holdPosts(page: Page, address: string | RegExp): Promise<{ release: () => void }> {
  const held = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    if (route.request().method() === 'POST') await held.promise
    await route.fallback()
  })
  return { release: held.resolve }
}

test('a failed sign-out is shown, although its menu has closed', async ({ page }) => {
  await signIn(page, '/prospects')
  await page.route('**/api/v1/session', (route) =>
    route.request().method() === 'DELETE' ? route.abort('connectionreset') : route.fallback(),
  )
  await page.getByRole('button', { name: 'Ada Administrator' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'You may still be signed in' })).toBeVisible()
})

test('rejecting a pair does not navigate after the user has left', async ({ page }) => {
  await signIn(page)
  const { name, id, pairId } = await suggestedPair(page, 'Rejected late')
  const answer = await holdPosts(page, '**/rejection')
  await page.goto(`/prospects/${id}`)
  await page.locator(`a[href^="/duplicates/${pairId}"]`).click()
  await page.getByRole('button', { name: 'Not a duplicate…' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('Two yards')
  const sent = page.waitForRequest('**/rejection')
  await page.keyboard.press('Control+Enter')
  await sent
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: name })).toBeVisible()
  answer.release()
  await expect(page.getByText('Marked as not a duplicate')).toBeVisible()
  // If the response navigated, it would replace the record before this tab opens.
  await page.getByRole('tab', { name: 'Notes' }).click()
  await expect(page.getByRole('tabpanel', { name: 'Notes' })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/prospects/${id}`))
})

test('a card with a pending move stays in its target column while another is moved', async ({ page }) => {
  await signIn(page)
  const name = unique('Moved side by side')
  const [slow, quick] = [
    await createBusiness(page, { name: `${name} slow` }),
    await createBusiness(page, { name: `${name} quick` }),
  ]
  const answer = await holdPosts(page, `**/businesses/${slow.id}/pipeline-transitions`)
  await page.goto(`/prospects?view=board&q=${encodeURIComponent(name)}`)
  const move = async (which: string) => {
    await page.getByRole('button', { name: `Move ${name} ${which}` }).click()
    await page.getByRole('menuitem', { name: 'Contacted' }).click()
    await sendMove(page, `${name} ${which}`)
  }
  const contacted = page.getByRole('region', { name: 'Contacted', exact: true })
  await move('slow')
  await expect(contacted.getByRole('link', { name: `${name} slow` })).toBeVisible()
  const reading = new Set<Request>()
  page.on('request', (request) => {
    // The stream of changes never ends.
    const isRead = request.method() === 'GET' && request.url().includes('/api/v1/')
    if (isRead && !request.url().includes('/changes/stream')) reading.add(request)
  })
  page.on('requestfinished', (request) => reading.delete(request))
  page.on('requestfailed', (request) => reading.delete(request))
  const moved = page.waitForResponse(`**/businesses/${quick.id}/pipeline-transitions`)
  await move('quick')
  await moved
  await expect(contacted.getByRole('link')).toHaveCount(2)
  // Wait for reads that the response may have started.
  await page.evaluate(() => fetch('/healthz'))
  await expect.poll(() => reading.size).toBe(0)
  await expect(contacted.getByRole('link')).toHaveCount(2)
  answer.release()
  await expect
    .poll(async () => (await page.request.get(`/api/v1/businesses/${slow.id}`)).json())
    .toMatchObject({
      pipelineState: 'contacted',
    })
})

test('a rejected move returns only its card, and another moved card stays', async ({ page }) => {
  await signIn(page)
  const name = unique('Refused side by side')
  const slow = await createBusiness(page, { name: `${name} slow` })
  const quick = await createBusiness(page, { name: `${name} quick` })
  const held = Promise.withResolvers<void>()
  let areListsHeld = false
  await page.route('**/api/v1/businesses*', async (route) => {
    if (areListsHeld) await new Promise(() => {})
    await route.fallback()
  })
  await page.route(`**/businesses/${slow.id}/pipeline-transitions`, async (route) => {
    await held.promise
    await route.fulfill({ status: 503, json: { status: 503, code: 'unavailable', title: 'Busy', detail: 'Busy.' } })
  })
  await page.goto(`/prospects?view=board&q=${encodeURIComponent(name)}`)
  const move = async (which: string) => {
    await page.getByRole('button', { name: `Move ${name} ${which}` }).click()
    await page.getByRole('menuitem', { name: 'Contacted' }).click()
    await sendMove(page, `${name} ${which}`)
  }
  const column = (state: string) => page.getByRole('region', { name: state, exact: true })
  await move('slow')
  await expect(column('Contacted').getByRole('link', { name: `${name} slow` })).toBeVisible()
  const moved = page.waitForResponse(`**/businesses/${quick.id}/pipeline-transitions`)
  await move('quick')
  await moved
  // The page must correct the board itself: no read can repair it here.
  areListsHeld = true
  held.resolve()
  await expect(column('New').getByRole('link', { name: `${name} slow` })).toBeVisible()
  await expect(column('Contacted').getByRole('link', { name: `${name} quick` })).toBeVisible()
})

test('a pair that was seen shows a block set on one of its records since then', async ({ page }) => {
  await signIn(page)
  const { name, pairId } = await suggestedPair(page, 'Marked from a pair')
  await page.goto(`/duplicates/${pairId}`)
  await page.getByRole('main').getByRole('link', { name: name }).first().click()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Mark as do not contact…' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('They asked for it')
  await page.getByRole('group', { name: 'Also block these values everywhere' }).getByRole('checkbox').uncheck()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(`${name} marked do not contact`)).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Same business?' })).toBeVisible()
  await expect(page.getByRole('main').locator('header').getByText('Do not contact')).toBeVisible({
    timeout: 5_000,
  })
})

test('an erased record shows no data that was read before', async ({ page }) => {
  await signIn(page)
  const name = unique('Erased and read')
  const { id } = await createBusiness(page, { name })
  await call(page, 'POST', `/businesses/${id}/notes`, { text: 'Only here' })
  await page.goto(`/prospects/${id}?tab=notes`)
  await expect(page.getByText('Only here')).toBeVisible()
  await page.getByRole('tab', { name: 'Overview' }).click()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Erase permanently…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Asked for')
  await dialog.getByRole('textbox', { name: 'Name of the record' }).fill(name)
  await page.keyboard.press('Control+Enter')
  await dialog.getByRole('button', { name: 'Done' }).click()
  const never = Promise.withResolvers<void>()
  await page.route('**/notes*', () => never.promise)
  await page.getByRole('tab', { name: 'Notes' }).click()
  await expect(page.getByRole('tabpanel', { name: 'Notes' })).toBeVisible()
  await expect(page.getByText('Only here')).toBeHidden()
})

test('an unfinished report question does not navigate back after the user has left', async ({ page }) => {
  await signIn(page, '/reports/new')
  const part = Promise.withResolvers<void>()
  await page.clock.install()
  await page.getByRole('textbox', { name: 'As of' }).fill('2026-01-01 10:00')
  await page.route('**/assets/**', async (route) => {
    await part.promise
    await route.fallback()
  })
  await page.getByRole('link', { name: 'Jobs' }).click()
  // Longer than the debounce of the address.
  await page.clock.runFor(600)
  part.resolve()
  await expect(page.getByRole('heading', { level: 1, name: 'Jobs' })).toBeVisible()
  await expect(page).toHaveURL(/\/jobs/)
})

test('an open form does not take the focus when the user moves through the tabs', async ({ page }) => {
  await signIn(page)
  const { id } = await createBusiness(page, { name: unique('Through the tabs') })
  await page.goto(`/prospects/${id}`)
  await expect(page.getByRole('tab', { name: 'Overview' })).toBeVisible()
  await page.keyboard.press('n')
  await expect(page.getByLabel('New note')).toBeFocused()
  await page.getByRole('tab', { name: 'Evidence' }).click()
  await page.getByRole('button', { name: 'Add evidence' }).click()
  await expect(page.getByRole('form').or(page.locator('form')).locator(':focus')).toHaveCount(1)
  await page.getByRole('tab', { name: 'Overview' }).click()
  const names = await page.getByRole('tab').allTextContents()
  for (const name of names.slice(1)) {
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('tabpanel', { name })).toBeVisible()
    await expect(page.getByRole('tab', { name })).toBeFocused()
  }
})

test('shortcuts still work after the window was widened with an open menu', async ({ page }) => {
  await signIn(page)
  await page.setViewportSize({ width: 700, height: 700 })
  await page.goto('/prospects')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.setViewportSize({ width: 1_280, height: 800 })
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeVisible()
})
