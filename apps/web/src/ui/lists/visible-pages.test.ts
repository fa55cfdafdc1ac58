import { type BusinessSummary, listBusinesses, type Page } from '@prospect/api-client'
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { configureApiClient } from '../api/client.ts'
import { dataOf } from '../api/data-of.ts'
import { prospectPages } from '../prospects/use-prospect-pages.ts'
import {
  isVisiblePageOutdated,
  keepsPlace,
  type PagedList,
  rowsOf,
  totalOf,
  type VisiblePages,
  visiblePagesQuery,
} from './visible-pages.ts'

/* Tests against a fake server with one list, sorted by last change and paged by cursors like the real one. It counts the requests. */

type Row = Pick<BusinessSummary, 'id' | 'version' | 'updatedAt'>

let server: Row[] = []
let requests: { cursor: string | null; limit: number }[] = []
let isNewestFirst = true
let moment = 0
let made = 0

function nextMoment(): string {
  moment += 1
  return String(moment).padStart(8, '0')
}
const place = ({ updatedAt, id }: Row) => `${updatedAt} ${id}`
const isAfter = (one: string, other: string) => (isNewestFirst ? one < other : one > other)
const sorted = () => server.toSorted((a, b) => (isAfter(place(a), place(b)) ? 1 : -1))
const create = () => {
  made += 1
  server.push({ id: `b${made}`, version: 1, updatedAt: nextMoment() })
}
const edit = (row: Row | undefined) => {
  server = server.map((one) => (one === row ? { ...one, version: one.version + 1, updatedAt: nextMoment() } : one))
}
const remove = (row: Row | undefined) => {
  server = server.filter((one) => one !== row)
}

function answer(url: string): Response {
  const asked = new URL(url).searchParams
  const [cursor, limit] = [asked.get('cursor'), Number(asked.get('limit'))]
  requests.push({ cursor, limit })
  const rest = sorted().filter((row) => cursor === null || isAfter(place(row), cursor))
  const items = rest.slice(0, limit)
  const last = items.at(-1)
  const nextCursor = rest.length > limit && last !== undefined ? place(last) : null
  const counted = { value: server.length, counts: 'matching_set', asOf: '2026-11-22T08:00:00.000Z' }
  const total = cursor === null ? counted : null
  return Response.json({ items, page: { limit, returned: items.length, nextCursor, total } } as Page<Row>)
}

beforeEach(() => {
  server = []
  isNewestFirst = true
  requests = []
  configureApiClient('http://localhost')
  vi.stubGlobal('fetch', async (url: string) => answer(url))
})
afterEach(() => vi.unstubAllGlobals())

const byLastChange = (limit: number) => prospectPages({ sort: '-updatedAt' }, limit)

/** Jobs and events: a changed row keeps its position. */
const asTheyCame: PagedList<BusinessSummary> = {
  queryKey: [{ _id: 'as they came' }],
  readPage: (query, signal) => dataOf(listBusinesses({ query, signal })),
  limit: 50,
  placeOf: keepsPlace,
}

/** Opens a list with the given number of loaded pages. */
async function openList(pages: number, limit = 50, list: PagedList<BusinessSummary> = byLastChange(limit)) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 15_000, retry: false } } })
  const atTheTop: VisiblePages = { firstPage: 0, lastPage: 0 }
  const observer = new InfiniteQueryObserver(client, visiblePagesQuery(list, atTheTop))
  const leave = observer.subscribe(() => {})
  await observer.refetch()
  for (let page = 1; page < pages; page++) await observer.fetchNextPage()
  requests = []
  const data = () => observer.getCurrentResult().data
  const look = (firstPage: number, lastPage: number) =>
    observer.setOptions(visiblePagesQuery(list, { firstPage, lastPage }))
  return {
    look,
    leave,
    refresh: () => client.invalidateQueries({ queryKey: list.queryKey }),
    readSeen: () => observer.refetch(),
    isBehind: (sight: VisiblePages) => isVisiblePageOutdated(data() ?? { pages: [] }, sight),
    pages: () => data()?.pages ?? [],
    ids: () => rowsOf(data()).rows.map(({ id }) => id),
    total: () => totalOf(data())?.value,
  }
}

const idsOfServer = () => sorted().map(({ id }) => id)

test('a refresh of 5,000 rows reads the first page and the visible ones, and no row moves', async () => {
  for (let i = 0; i < 6_000; i++) create()
  const list = await openList(100)
  expect(list.ids()).toHaveLength(5_000)
  list.look(59, 60)
  await list.refresh()
  expect(requests).toHaveLength(3)
  expect(list.ids()).toEqual(idsOfServer().slice(0, 5_000))
  list.leave()
})

test('changed, created and removed rows are right at the top and in the visible pages, with the total', async () => {
  for (let i = 0; i < 400; i++) create()
  const list = await openList(6)
  list.look(3, 3)
  edit(sorted()[160])
  edit(sorted()[280])
  remove(sorted()[170])
  create()
  await list.refresh()
  expect(requests).toHaveLength(2)
  // The removed row was visible; the two changed rows are at the top.
  expect(list.ids()).toEqual(idsOfServer().slice(0, 300))
  expect(list.total()).toBe(400)
  list.leave()
})

test('a page that a refresh skipped is read once when it becomes visible', async () => {
  for (let i = 0; i < 400; i++) create()
  const list = await openList(6)
  remove(sorted()[210])
  await list.refresh()
  expect(requests).toHaveLength(1)
  expect(list.isBehind({ firstPage: 4, lastPage: 4 })).toBe(true)
  list.look(4, 4)
  await list.readSeen()
  expect(requests).toHaveLength(2)
  expect(list.isBehind({ firstPage: 4, lastPage: 4 })).toBe(false)
  expect(list.ids()).toEqual(idsOfServer().slice(0, 299))
  list.leave()
})

test('a record that moves from a skipped page to a visible one appears only there', async () => {
  isNewestFirst = false
  for (let i = 0; i < 280; i++) create()
  const list = await openList(6)
  list.look(5, 5)
  edit(sorted()[120])
  await list.refresh()
  expect(requests).toHaveLength(2)
  expect(list.ids()).toEqual(idsOfServer())
  list.leave()
})

test('more new rows than a page holds leave no gap', async () => {
  for (let i = 0; i < 400; i++) create()
  const list = await openList(6)
  list.look(5, 5)
  for (let i = 0; i < 250; i++) create()
  await list.refresh()
  expect(list.ids()).toEqual(idsOfServer().slice(0, 550))
  expect(requests.length).toBeLessThan(10)
  list.leave()
})

test('if every loaded row was changed, the list is read from its start', async () => {
  for (let i = 0; i < 300; i++) create()
  const list = await openList(4)
  for (const row of sorted()) edit(row)
  await list.refresh()
  const ids = list.ids()
  expect(ids).toEqual(idsOfServer().slice(0, ids.length))
  expect(ids.length).toBeGreaterThanOrEqual(200)
  list.leave()
})

test('rows changed in place are current at the top and in visible pages, and no further page is read for them', async () => {
  for (let i = 0; i < 400; i++) create()
  const list = await openList(6, 50, asTheyCame)
  list.look(3, 3)
  const ids = list.ids()
  const changed = new Set([ids[2], ids[160], ids[280]])
  server = server.map((row) => (changed.has(row.id) ? { ...row, version: 2 } : row))
  await list.refresh()
  expect(requests).toHaveLength(2)
  expect(list.ids()).toEqual(ids)
  const versions = new Map(list.pages().flatMap(({ items }) => items.map(({ id, version }) => [id, version])))
  expect([ids[2], ids[160], ids[280]].map((id) => versions.get(id ?? ''))).toEqual([2, 2, 1])
  list.leave()
})

test('a polling list reads its first page and the visible ones each time, however fresh they are', async () => {
  for (let i = 0; i < 400; i++) create()
  const list = await openList(6, 50, { ...asTheyCame, askAgainMs: () => 60_000 })
  await list.readSeen()
  expect(requests).toHaveLength(1)
  list.look(4, 5)
  await list.readSeen()
  expect(requests).toHaveLength(4)
  list.leave()
})

test('after arbitrary changes, pages that were read again match the server, and no record appears twice', async () => {
  const change = fc.record({ kind: fc.constantFrom('edit', 'remove', 'create'), at: fc.nat(60) })
  const step = fc.record({
    changes: fc.array(change, { maxLength: 30 }),
    first: fc.nat(6),
    more: fc.nat(1),
  })
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(step, { minLength: 1, maxLength: 6 }), async (newestFirst, steps) => {
      server = []
      isNewestFirst = newestFirst
      for (let i = 0; i < 60; i++) create()
      const list = await openList(5, 8)
      for (const { changes, first, more } of steps) {
        for (const { kind, at } of changes) {
          if (kind === 'create') create()
          else if (kind === 'edit') edit(sorted()[at])
          else remove(sorted()[at])
        }
        list.look(first, first + more)
        await list.refresh()
        const ids = list.ids()
        expect(new Set(ids).size).toBe(ids.length)
        // A page that was read again contains exactly what the server has between its first and last row; other pages may be outdated.
        for (const [index, { items }] of list.pages().entries()) {
          if (index !== 0 && (index < first || index > first + more)) continue
          const shown = ids.filter((id) => items.some((row) => row.id === id))
          const [begin, end] = [idsOfServer().indexOf(shown[0] ?? ''), idsOfServer().indexOf(shown.at(-1) ?? '')]
          if (shown.length > 0) expect(shown).toEqual(idsOfServer().slice(begin, end + 1))
        }
        // After scrolling from top to bottom the list matches the server.
        list.look(0, list.pages().length)
        await list.refresh()
        expect(list.ids()).toEqual(idsOfServer().slice(0, list.ids().length))
      }
      list.leave()
    }),
    { numRuns: 100 },
  )
})
