import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page, Request } from '@playwright/test'
import { otherPage } from './accounts.ts'
import { expect, test } from './fixtures.ts'
import { insecureHost } from './server.ts'
import { call, createBusiness, expectAccessible, signIn, signInByForm, unique } from './steps.ts'

/* Journeys with several windows that show the changes of other users. The colleague uses another browser and sends requests with `call`, without a
   page. */

const WITHIN = { timeout: 2_000 }

/** Counts the open streams of all windows of a browser. A closed window may report no end of its requests, so its streams do not count. */
function streamsOf(context: BrowserContext): () => number {
  const open = new Set<Request>()
  context.on('request', (request) => {
    if (request.url().includes('/changes/stream')) open.add(request)
  })
  context.on('requestfailed', (request) => open.delete(request))
  context.on('requestfinished', (request) => open.delete(request))
  return () => [...open].filter((request) => !request.frame().page().isClosed()).length
}

async function rename(page: Page, id: string, name: string): Promise<void> {
  const record = await page.request.get(`/api/v1/businesses/${id}`)
  await call(page, 'PATCH', `/businesses/${id}`, { name }, { 'if-match': record.headers().etag ?? '' })
}

test('two windows show a colleague’s changes within two seconds through one stream, and continue when one is closed', async ({
  page,
  context,
  browser,
}) => {
  const streams = streamsOf(context)
  await signIn(page)
  const word = unique('Live')
  const { id } = await createBusiness(page, { name: `${word} before` })
  await page.goto(`/prospects?q=${encodeURIComponent(word)}`)
  const row = page.getByRole('row', { name: word })
  await expect(row).toContainText(`${word} before`)
  const record = await context.newPage()
  await record.goto(`/prospects/${id}`)
  await expect(record.getByRole('heading', { level: 1 })).toContainText(`${word} before`)
  await expect.poll(streams).toBe(1)

  const colleague = await (await browser.newContext()).newPage()
  await signIn(colleague)
  await rename(colleague, id, `${word} after`)
  await expect(record.getByRole('heading', { level: 1 })).toContainText(`${word} after`, WITHIN)
  await page.bringToFront()
  await expect(row).toContainText(`${word} after`, WITHIN)

  // Close one window. If it had the stream, the other window takes over.
  await record.close()
  await call(colleague, 'POST', `/businesses/${id}/pipeline-transitions`, { to: 'contacted' })
  await expect(row).toContainText('Contacted')
  await expect.poll(streams).toBe(1)
  await colleague.context().close()
})

test('a row that a colleague changes stays under the pointer until the pointer leaves the list', async ({
  page,
  browser,
}) => {
  await signIn(page)
  const word = unique('Steady')
  const [a] = [await createBusiness(page, { name: `${word} A` }), await createBusiness(page, { name: `${word} B` })]
  const stream = page.waitForResponse('**/changes/stream')
  await page.goto(`/prospects?q=${encodeURIComponent(word)}&sort=name`)
  await stream
  const rows = page.getByRole('row', { name: word })
  await expect(rows).toHaveCount(2)
  await rows.first().hover()
  await page.mouse.move(...(await middleOf(rows.first())))
  const colleague = await (await browser.newContext()).newPage()
  await signIn(colleague)
  await rename(colleague, a.id, `${word} Z`)
  await expect(rows.first()).toContainText(`${word} Z`, WITHIN)
  await expect(rows.last()).toContainText(`${word} B`)
  await expect(rows.first()).toContainText('changed just now')
  await expectAccessible(page)
  await page.mouse.move(1, 1)
  await expect(rows.first()).toContainText(`${word} B`)
  await colleague.context().close()
})

/** Proxy in front of the app that counts the open streams of changes. Playwright does not report requests of a shared worker. */
async function countStreams(appUrl: string): Promise<{ origin: string; streams: () => number; stop: () => void }> {
  const { hostname, port } = new URL(appUrl)
  let open = 0
  const proxy = createServer((request, response) => {
    const { method, url = '/', headers } = request
    const isStream = url.startsWith('/api/v1/changes/stream')
    const upstream = send({ hostname, port, method, path: url, headers }, (answer) => {
      if (isStream) open += 1
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
      answer.on('close', () => {
        if (isStream) open -= 1
      })
    })
    request.pipe(upstream)
    response.on('close', () => upstream.destroy())
    upstream.on('error', () => response.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    origin: `http://${insecureHost}:${(proxy.address() as AddressInfo).port}`,
    streams: () => open,
    stop: () => {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}

/**
 * Marks the document of each window when its shared worker reports the stream as live. A window connects after its first screen has loaded, and reads
 * earlier changes then.
 */
async function markLive(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    window.SharedWorker = class extends SharedWorker {
      constructor(...given: ConstructorParameters<typeof SharedWorker>) {
        super(...given)
        this.port.addEventListener('message', ({ data }) => {
          if (data.type === 'live') document.documentElement.dataset.isLive = 'true'
        })
      }
    }
  })
}

test('without a secure context a shared worker holds the one stream of all windows, also when a window is closed', async ({
  page,
  context,
  browser,
  app,
}) => {
  const { origin, streams, stop } = await countStreams(app.url)
  await markLive(context)
  await signInByForm(page, `${origin}/prospects`)
  expect(await page.evaluate(() => [isSecureContext, 'locks' in navigator])).toEqual([false, false])
  const colleague = await otherPage(browser, app.url)
  await signIn(colleague)
  const word = unique('Plain')
  const { id } = await createBusiness(colleague, { name: `${word} 1` })
  const record = await context.newPage()
  await record.goto(`${origin}/prospects/${id}`)
  const heading = record.getByRole('heading', { level: 1 })
  await expect(heading).toContainText(`${word} 1`)
  await page.goto(`${origin}/prospects?q=${encodeURIComponent(word)}`)
  const row = page.getByRole('row', { name: word })
  await expect(row).toContainText(`${word} 1`)
  for (const window of [page, record]) await expect(window.locator('html[data-is-live]')).toHaveCount(1)
  expect(streams()).toBe(1)

  await rename(colleague, id, `${word} 2`)
  await expect(row).toContainText(`${word} 2`, WITHIN)
  await record.bringToFront()
  await expect(heading).toContainText(`${word} 2`, WITHIN)
  expect(streams()).toBe(1)

  // The first window started the worker.
  await page.close()
  await rename(colleague, id, `${word} 3`)
  await expect(heading).toContainText(`${word} 3`, WITHIN)
  expect(streams()).toBe(1)

  // The worker ends with the last window.
  await record.close()
  await expect.poll(streams).toBe(0)
  stop()
  await colleague.context().close()
})

test('a browser without locks and workers polls', async ({ page, browser, baseURL }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'locks', { value: undefined })
    Reflect.deleteProperty(window, 'SharedWorker')
  })
  await page.clock.install()
  const streams = streamsOf(page.context())
  await signIn(page)
  const word = unique('Polled')
  const { id } = await createBusiness(page, { name: `${word} before` })
  await page.goto(`/prospects?q=${encodeURIComponent(word)}`)
  const row = page.getByRole('row', { name: word })
  await expect(row).toContainText(`${word} before`)
  const colleague = await otherPage(browser, baseURL)
  await signIn(colleague)
  await rename(colleague, id, `${word} after`)
  await page.clock.runFor(11_000)
  await expect(row).toContainText(`${word} after`)
  expect(streams()).toBe(0)
  await colleague.context().close()
})

async function middleOf(row: ReturnType<Page['getByRole']>): Promise<[number, number]> {
  const box = await row.boundingBox()
  if (box === null) throw new Error('The row is on screen.')
  return [box.x + box.width / 2, box.y + box.height / 2]
}
