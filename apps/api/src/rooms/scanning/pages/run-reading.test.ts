import { afterAll, expect, test } from 'vitest'
import { nothingKnown, type PageOrder } from './page-facts.ts'
import { endPageThread, runReading } from './run-reading.ts'

afterAll(endPageThread)

const home = { tenantId: 'home' }
const order = (page: string): PageOrder => ({
  bytes: Buffer.from(page),
  contentType: null,
  format: 'html',
  url: 'https://karoo.co.za/',
  known: { names: [], registrationNumber: null, phones: [], domains: [], street: null },
  maxBytes: 5_000_000,
  maxLinks: 500,
})

test('a page past its time ends with that reason, and the next one is read by a new thread', async () => {
  const long = '<p>Fences</p>'.repeat(200_000)
  expect(await runReading(home, order(long), 1)).toEqual({ page: undefined, reason: 'parse_timeout' })
  const { page } = await runReading(home, order('<p>Fences</p>'))
  expect(page).toMatchObject({ repeats: nothingKnown, counts: { text: 6 }, reasons: [] })
})

test('a tenant has at most four waiting pages, those of another tenant are read between them, and those of jobs are never refused', async () => {
  const read: string[] = []
  const reading = (tenantId: string, isPatient = false) =>
    runReading({ tenantId, isPatient }, order('<p>Fences</p>')).then(() => read.push(tenantId))
  const own = Array.from({ length: 5 }, () => reading('home'))
  await expect(reading('home')).rejects.toMatchObject({
    code: 'too_many_waiting',
    message: 'This workspace has 4 waiting pages; the limit is 4. Try again when some of them have ended.',
    details: { limit: 'waiting_pages', size: 4, max: 4 },
  })
  await Promise.all([...own, reading('other'), reading('home', true)])
  expect(read).toEqual(['home', 'other', 'home', 'home', 'home', 'home', 'home'])
})
