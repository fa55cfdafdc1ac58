import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Page } from '@playwright/test'
import type { Job, JobEventPage } from '@prospect/api-client'
import { expect, test } from './fixtures.ts'
import { call, expectAccessible, signIn, signInByForm, unique } from './steps.ts'

/** Starts a counting job through the API, as another user would. */
function startCounting(page: Page, input: Record<string, unknown>): Promise<Job> {
  return call<Job>(page, 'POST', '/jobs', { kind: 'demonstration', input }, { 'idempotency-key': unique('job') })
}

const live = (page: Page) => page.getByText('Live', { exact: true })
const lost = (page: Page) => page.getByText('Live updates stopped.')

/** A TCP proxy to the app that can break its connections, as a network failure does. New connections still work. */
async function breakableProxy(to: string) {
  const { hostname, port } = new URL(to)
  const sockets = new Set<Socket>()
  const server = createServer((here) => {
    const upstream = connect(Number(port), hostname)
    for (const [one, other] of [
      [here, upstream],
      [upstream, here],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  server.listen(0)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The way has no port.')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://localhost:${address.port}`,
    cut,
    close: () => {
      cut()
      server.close()
    },
  }
}

test('a job is followed live, loses its stream, continues by polling without a gap, and then streams again', async ({
  page,
  baseURL,
}) => {
  test.setTimeout(90_000)
  const proxy = await breakableProxy(baseURL ?? '')
  try {
    await signInByForm(page, `${proxy.url}/jobs`)
    // Longer than the test; it is cancelled at the end.
    const { id } = await startCounting(page, { steps: 600, stepMs: 250 })
    await page.goto(`${proxy.url}/jobs/${id}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Demonstration' })).toBeVisible()
    await expect(live(page)).toBeVisible()
    await expect(page.getByRole('progressbar')).toBeVisible()
    await expect(page.getByText(/\d of 600 steps/).first()).toBeVisible()

    // The connection breaks and no new stream opens for a while; other requests still work.
    await page.route('**/changes/stream**', (route) => route.abort())
    proxy.cut()
    await expect(lost(page)).toBeVisible()
    await expectAccessible(page)
    const before = await sequenceShown(page)
    await expect.poll(() => sequenceShown(page)).toBeGreaterThan(before)

    await page.unroute('**/changes/stream**')
    await expect(live(page)).toBeVisible({ timeout: 20_000 })
    const onStream = await sequenceShown(page)
    await expect.poll(() => sequenceShown(page)).toBeGreaterThan(onStream)
    await page.getByRole('button', { name: 'Cancel job' }).click()
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()

    const events: JobEventPage = await (
      await page.request.get(`${proxy.url}/api/v1/jobs/${id}/events?limit=200`)
    ).json()
    const stored = events.items.map(({ sequence }) => sequence)
    await expect.poll(async () => (await sequencesShown(page)).sort((a, b) => a - b)).toEqual(stored)
  } finally {
    proxy.close()
  }
})

const history = (page: Page) => page.getByRole('region', { name: 'Events' }).getByRole('listitem')

/** Sequence numbers of the events that the lines represent. All lines are read at once, because new ones move them. */
async function sequencesShown(page: Page): Promise<number[]> {
  const ranges = await history(page).evaluateAll((lines) =>
    lines.map((line) => line.querySelector('span')?.textContent ?? ''),
  )
  return ranges.flatMap((range) => {
    const [from = 0, to = from] = range.split('–').map(Number)
    return Array.from({ length: to - from + 1 }, (_, index) => from + index)
  })
}

/** Sequence number of the newest event on the page. */
async function sequenceShown(page: Page): Promise<number> {
  const newest = (await history(page).first().locator('span').first().textContent()) ?? ''
  return Number(newest.split('–').at(-1))
}

test('a job is started, cancelled and retried from its page, continues from its checkpoint, and shows its attempts', async ({
  page,
}) => {
  await signIn(page, '/jobs')
  await page.getByRole('button', { name: 'New job' }).click()
  await page.getByRole('menuitem', { name: 'Demonstration…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Demonstration' })
  await expect(dialog.getByLabel('Steps')).toHaveValue('30')
  await dialog.getByLabel('Steps').fill('0')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await expect(dialog.getByText('Enter a number from 1 to 1')).toBeVisible()
  await expect(dialog.getByLabel('Steps')).toBeFocused()
  await expectAccessible(page)
  await dialog.getByLabel('Steps').fill('31')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await expect(page).toHaveURL(/\/jobs\/[0-9a-f-]{36}$/)
  await expect(page.getByText(/[1-9] of 31 steps/).first()).toBeVisible({ timeout: 15_000 })
  await page.getByRole('button', { name: 'Cancel job' }).click()
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
  await expectAccessible(page)
  const first = page.url()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page).not.toHaveURL(first)
  await expect(page.getByRole('region', { name: 'Attempts' }).getByRole('listitem')).toHaveCount(2)
  await expect(page.getByText('Queued as attempt 2')).toBeVisible()
  await page.getByRole('link', { name: 'Attempt 1' }).click()
  await expect(page.getByRole('link', { name: 'Retried as attempt 2' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Retry' })).toBeHidden()
  await page.getByRole('link', { name: 'Retried as attempt 2' }).click()
  await expect(page.getByRole('button', { name: 'Cancel job' })).toBeVisible()
  await page.keyboard.press('Shift+c')
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
})

test('the list updates itself, is filtered by its address, and is navigated by keyboard', async ({ page }) => {
  await signIn(page, '/jobs')
  const rowOf = ({ id }: Job) => page.getByRole('row').filter({ has: page.locator(`a[href="/jobs/${id}"]`) })
  // It runs until cancelled, so that the page certainly shows it running.
  const running = await startCounting(page, { steps: 1_000, stepMs: 1_000 })
  await expect(rowOf(running)).toContainText('Running')
  await call(page, 'POST', `/jobs/${running.id}/cancellation`, {})
  await expect(rowOf(running)).toContainText('Cancelled')
  const failing = await startCounting(page, { steps: 3, stepMs: 50, failAt: 2 })
  const row = rowOf(failing)
  await expect(row).toContainText('Failed')
  await expect(row).toContainText('This demonstration was asked to fail at step 2.')
  await expectAccessible(page)
  await page.goto('/jobs?status=failed')
  await expect(row).toBeVisible()
  await page.goto('/jobs?status=queued&kind=sample-data')
  await expect(page.getByText('No jobs match')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await expect(row).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/jobs\/[0-9a-f-]{36}$/)
})
