import { readFileSync } from 'node:fs'
import { firstLoadEntries, firstLoadFiles, readManifest } from '../server/build/first-load.ts'
import { expect, test } from './fixtures.ts'
import { signIn } from './steps.ts'

test('the first load that the build counts is what a browser fetches before it has the list, each file once', async ({
  page,
}) => {
  await signIn(page)
  await page.goto('about:blank')
  const manifest = readManifest(readFileSync('apps/web/dist/manifest.json', 'utf8'))
  const counted = firstLoadFiles(manifest, firstLoadEntries).map((file) => `/${file}`)
  // The list never comes, so nothing is fetched ahead.
  await page.route('**/api/v1/businesses?*', () => undefined)
  const fetched: string[] = []
  page.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('.js')) fetched.push(pathname)
  })
  await page.goto('/prospects')
  await expect.poll(() => fetched.toSorted()).toEqual(counted.toSorted())
})
