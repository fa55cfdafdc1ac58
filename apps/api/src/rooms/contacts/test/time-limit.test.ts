import { expect, onTestFinished, test } from 'vitest'
import { readingBounds } from '../bounds.ts'
import { contactWorld } from './contact-world.ts'

test('a page that takes longer than the limit is not read: the result is unknown and names the page', async () => {
  // The tests of the API share their modules, so a mock of the bounds would depend on the order of the files.
  const { pageMs } = readingBounds
  onTestFinished(() => void Object.assign(readingBounds, { pageMs }))
  Object.assign(readingBounds, { pageMs: 1 })
  const { extract, list } = await contactWorld()
  const long = 'We build fences of steel for farms in the Karoo. '.repeat(2_000)
  const extraction = await extract(`<h1>Contact us</h1><p>desk@karoo.co.za</p><p>${long}</p>`)
  expect(extraction).toMatchObject({
    state: 'unknown',
    reasons: ['time_limit'],
    limits: { reached: ['time_limit'] },
    notRead: [{ url: 'https://karoo.co.za/contact', reason: 'time_limit' }],
    counts: { open: 0 },
  })
  expect(await list()).toEqual([])
})
