import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ListPage } from '../../../../test/prospects.ts'
import type { DomainSummary } from '../list/domains.schema.ts'
import { searchLimits } from '../list/search-domains.ts'
import { domainsWorld } from './domains-world.ts'

const { domainsRead } = searchLimits
beforeEach(() => {
  searchLimits.domainsRead = 4
})
afterEach(() => {
  searchLimits.domainsRead = domainsRead
})

const names = [
  'a-pomp.co.za',
  'b.co.za',
  'c.co.za',
  'd.co.za',
  'e.co.za',
  'pomp.co.za',
  'pompies.co.za',
  'z-pomp.co.za',
]

async function found(asker: 'manager' | 'viewer', limit: number) {
  const world = await domainsWorld()
  for (const name of names) await world.prospect(name, { domains: [name] })
  await world.follow()
  const pages: string[][] = []
  const totals: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body }: { body: ListPage<DomainSummary> } = await world[asker].get<ListPage<DomainSummary>>(
      `/domains?search=POMP&limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`,
    )
    pages.push(body.items.map(({ domain }) => domain))
    totals.push(body.page.total)
    cursor = body.page.nextCursor
  }
  return { pages, totals }
}

test('domains that begin with the text come first, then those that contain it; a page reads a limited number of domains', async () => {
  const { pages, totals } = await found('manager', 5)
  expect(pages).toEqual([['pomp.co.za', 'pompies.co.za', 'a-pomp.co.za'], ['z-pomp.co.za'], []])
  expect(totals[0]).toBeNull()
})

test('pages continue within each part of the result', async () => {
  const { pages } = await found('manager', 1)
  expect(pages.flat()).toEqual(['pomp.co.za', 'pompies.co.za', 'a-pomp.co.za', 'z-pomp.co.za'])
})

test('a reader from whom domains may be hidden finds the same', async () => {
  const { pages } = await found('viewer', 2)
  expect(pages.flat()).toEqual(['pomp.co.za', 'pompies.co.za', 'a-pomp.co.za', 'z-pomp.co.za'])
})
