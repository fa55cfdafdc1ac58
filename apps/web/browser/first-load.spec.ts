import { readdirSync, readFileSync } from 'node:fs'
import { firstLoadEntries, firstLoadFiles, readManifest } from '../server/build/first-load.ts'
import { expect, test } from './fixtures.ts'
import { signIn } from './steps.ts'

test('the first load that the build measures is what a browser loads before the list, each file once', async ({
  page,
}) => {
  await signIn(page)
  await page.goto('about:blank')
  const manifest = readManifest(readFileSync('apps/web/dist/manifest.json', 'utf8'))
  const filesOf = (entries: string[]) => firstLoadFiles(manifest, entries).map((file) => `/${file}`)
  const counted = filesOf(firstLoadEntries)
  // Parts above the list load after the list's own files, in a time of their own.
  const later = new Set(filesOf(['src/rooms/prospects/list/first-steps.tsx', 'src/rooms/registry/cleaning-line.tsx']))
  // The list never arrives, so nothing is prefetched.
  await page.route('**/api/v1/businesses?*', () => undefined)
  const fetched: string[] = []
  page.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('.js') && (counted.includes(pathname) || !later.has(pathname))) fetched.push(pathname)
  })
  await page.goto('/prospects')
  await expect.poll(() => fetched.toSorted()).toEqual(counted.toSorted())
})

test('the font is served with its licence', async ({ page }) => {
  const files = readdirSync('apps/web/dist/assets')
  expect(files.some((file) => /^inter-.*\.woff2$/.test(file))).toBe(true)
  const licence = files.find((file) => /^inter-OFL-.*\.txt$/.test(file))
  const answer = await page.request.get(`/assets/${licence}`)
  expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
  const text = await answer.text()
  expect(text).toContain('The Inter Project Authors')
  expect(text).toContain('SIL OPEN FONT LICENSE Version 1.1')
  expect(text).toContain('PERMISSION & CONDITIONS')
})
