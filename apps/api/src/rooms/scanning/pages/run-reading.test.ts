import { afterAll, expect, test } from 'vitest'
import { nothingKnown, type PageOrder } from './page-facts.ts'
import { endPageThread, runReading } from './run-reading.ts'

afterAll(endPageThread)

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
  expect(await runReading(order(long), 1)).toEqual({ page: undefined, reason: 'parse_timeout' })
  const { page } = await runReading(order('<p>Fences</p>'))
  expect(page).toMatchObject({ repeats: nothingKnown, counts: { text: 6 }, reasons: [] })
})

test('pages wait for each other up to a number', async () => {
  const readings = Array.from({ length: 16 }, () => runReading(order('<p>Fences</p>')))
  await expect(runReading(order('<p>One more</p>'))).rejects.toThrow('Too many pages are being read.')
  expect(await Promise.all(readings)).toHaveLength(16)
})
