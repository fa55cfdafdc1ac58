/**
 * The list of prospects in a browser: the time from a click on a row to the name of the record in its panel, and the longest frame while the list is
 * scrolled from its first row to its last; and the time from Enter in a cell to the end of its editor, which closes when the
 * server has stored the value.
 *
 *   npm run build -w apps/web && npm run bench:web-lists -- [--records 10000] [--opens 40] [--saves 40]
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import { z } from 'zod'
import { countOption, some } from '../../../bench/figures.ts'
import { median, percentile, processorSecondsOf } from '../../../bench/processes.ts'
import { untilQuiet } from '../../../bench/quiet.ts'
import { describeMachine, table, verdict } from '../../../bench/report.ts'
import { chromiumPath } from './chromium-path.ts'
import { type RunningApp, startApp } from './server.ts'

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '10000' },
    opens: { type: 'string', default: '40' },
    saves: { type: 'string', default: '40' },
  },
})
countOption(values, 'records')
const opens = countOption(values, 'opens')
const saves = countOption(values, 'saves')
/** The account that the seed creates. */
const who = { email: 'bench@example.co.za', password: 'correct horse battery staple 42' }
const OPEN_TARGET_MS = 100
const SAVE_TARGET_MS = 100
const FRAME_TARGET_MS = 50
/** Distance scrolled per frame, in pixels: 6,000 pixels or 150 rows a second. */
const STEP_PX = 100

const jobList = z.object({ items: z.array(z.object({ kind: z.string(), endedAt: z.string().nullable() })) })

/** Resolves when the API has processed the seeded rows, and the changes of the page before. */
function untilApiIsQuiet(page: Page, { url, apiPid }: RunningApp): Promise<void> {
  return untilQuiet({
    processorSeconds: () => processorSecondsOf(apiPid),
    openJobs: async () => {
      const { items } = jobList.parse(await (await page.request.get(`${url}/api/v1/jobs`)).json())
      return items.filter(({ endedAt }) => endedAt === null).map(({ kind }) => kind)
    },
  })
}

/** Clicks rows one after the other and returns the times until each record's name is in the panel, after the next frame. */
async function openRecords(page: Page): Promise<number[]> {
  return page.evaluate(async (many) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const times: number[] = []
    for (let index = 1; index <= many; index++) {
      const row = document.querySelectorAll<HTMLElement>('main tbody tr[data-index] a, main tbody tr a')[index % 15]
      if (row === undefined || row === null) throw new Error('The list has no row to open.')
      const name = row.textContent?.trim() ?? ''
      const started = performance.now()
      row.click()
      for (;;) {
        const titles = [...document.querySelectorAll('h1, h2')].map((title) => title.textContent?.trim())
        if (titles.includes(name)) break
        if (performance.now() - started > 10_000) throw new Error(`${name} did not open.`)
        await frame()
      }
      await frame()
      times.push(performance.now() - started)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    return times
  }, opens)
}

/** Edits the city of rows one after the other and returns the times from Enter until the editor has closed. */
async function saveCells(page: Page): Promise<number[]> {
  const times: number[] = []
  const rows = page.locator('main tbody tr[data-index]').filter({ hasNotText: 'Do not contact' })
  for (let index = 0; index < saves; index++) {
    await rows
      .nth(index % 10)
      .getByRole('link')
      .first()
      .focus()
    await page.keyboard.press('F2')
    // Name and assignee come before the city.
    await page.getByRole('textbox', { name: /^Registered name of / }).waitFor()
    await page.keyboard.press('Tab')
    await page.getByRole('combobox', { name: /^Assignee of / }).waitFor()
    await page.keyboard.press('Tab')
    const city = page.getByRole('textbox', { name: /^City of / })
    await city.fill(`Town ${index}`)
    times.push(
      await city.evaluate(async (input) => {
        const started = performance.now()
        input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
        while (input.isConnected) await new Promise((resolve) => requestAnimationFrame(resolve))
        return performance.now() - started
      }),
    )
  }
  return times
}

/** Scrolls the list to its end and returns the durations of the frames during scrolling. */
async function scrollThrough(page: Page): Promise<{ frames: number[]; rows: number }> {
  return page.evaluate(async (step) => {
    const table = document.querySelector('main table')
    let scroller = table?.parentElement ?? null
    while (scroller !== null && scroller.scrollHeight <= scroller.clientHeight + 1) scroller = scroller.parentElement
    if (table === null || scroller === null) throw new Error('The list cannot be scrolled.')
    const frames: number[] = []
    let last = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
    let still = 0
    while (still < 120) {
      const before = scroller.scrollTop
      scroller.scrollBy(0, step)
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
      frames.push(now - last)
      last = now
      still = scroller.scrollTop === before ? still + 1 : 0
    }
    return { frames, rows: Number(table.getAttribute('aria-rowcount')) }
  }, STEP_PX)
}

const folder = mkdtempSync(join(tmpdir(), 'prospect-bench-web-'))
const machine = describeMachine()
// The seed runs in a separate process, so that this project need not compile the API.
execFileSync(process.execPath, ['bench/seed.ts', '--data-dir', folder, '--rows', values.records])
const app = await startApp({ seed: folder, logName: 'bench' })
const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(app.url)
  await page.getByLabel('Email').fill(who.email)
  await page.getByLabel('Password', { exact: true }).fill(who.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.locator('main tbody tr').nth(15).waitFor()
  // Discard the first round, which loads the parts of the record page.
  await openRecords(page)
  await untilApiIsQuiet(page, app)
  const times = await openRecords(page)
  await page.goto(`${app.url}/prospects`)
  await page.locator('main tbody tr').nth(15).waitFor()
  const saved = await saveCells(page)
  await page.goto(`${app.url}/prospects`)
  await page.locator('main tbody tr').nth(15).waitFor()
  await untilApiIsQuiet(page, app)
  const { frames, rows } = await scrollThrough(page)
  some(frames.length, 'frames')
  some(rows, 'rows of the list')
  const longest = Math.max(...frames)
  console.log(machine)
  console.log(
    table(
      ['', 'seen', 'aim', ''],
      [
        [
          'open a record, median',
          `${median(times).toFixed(0)} ms`,
          `≤ ${OPEN_TARGET_MS} ms`,
          verdict(median(times) <= OPEN_TARGET_MS),
        ],
        [
          'save a cell, median',
          `${median(saved).toFixed(0)} ms`,
          `≤ ${SAVE_TARGET_MS} ms`,
          verdict(median(saved) <= SAVE_TARGET_MS),
        ],
        ['open a record, p95', `${percentile(times, 0.95).toFixed(0)} ms`, '', ''],
        [
          `longest frame while scrolling ${rows} rows`,
          `${longest.toFixed(0)} ms`,
          `≤ ${FRAME_TARGET_MS} ms`,
          verdict(longest <= FRAME_TARGET_MS),
        ],
        [
          'frames, and of them over the aim',
          `${frames.length}, ${frames.filter((ms) => ms > FRAME_TARGET_MS).length}`,
          '',
          '',
        ],
      ],
    ),
  )
} finally {
  await browser.close()
  await app.stop()
  rmSync(folder, { recursive: true, force: true })
}
