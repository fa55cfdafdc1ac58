import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asciiDomain } from './hosts.rules.ts'

test('a name in ASCII form equals the result of the platform', () => {
  const label = fc.stringMatching(/^(?:xn--)?[a-z0-9-]{1,8}$/)
  const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'))
  fc.assert(
    fc.property(fc.oneof(name, fc.domain()), (typed) => {
      const found = asciiDomain(typed)
      if (found !== undefined) expect(found).toBe(domainToASCII(typed))
    }),
    { numRuns: 2_000 },
  )
})

test('a text above the maximum length is rejected without scanning it', () => {
  expect(asciiDomain(`${'\u00ad'.repeat(900)}karoo.co.za`)).toBe('karoo.co.za')
  expect(asciiDomain(`${'\u00ad'.repeat(1_100)}karoo.co.za`)).toBeUndefined()
})
