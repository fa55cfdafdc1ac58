import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nonResultOf, nonResults } from './non-results.data.ts'

test('the page about assistance names each reason for a suggestion without a result, under its kind', () => {
  const page = readFileSync(new URL('../../../../../../docs/assist.md', import.meta.url), 'utf8')
  const rows = page.split('\n').filter((line) => /^\| `(?:unknown|unavailable)`/.test(line))
  for (const [code, { kind }] of Object.entries(nonResults)) {
    const named = rows.filter((row) => row.includes(`\`${code}\``))
    expect([code, named.map((row) => row.includes(`| \`${kind}\``))]).toEqual([code, [true]])
  }
})

test('a reason of a source is unavailable, with a sentence that names it', () => {
  expect(nonResultOf('rate_limited', '2026-11-22T00:00:00.000Z')).toEqual({
    ...{ kind: 'unavailable', reason: 'rate_limited', dropped: [] },
    ...{ detail: 'The provider gave no answer: rate limited.', retryAfter: '2026-11-22T00:00:00.000Z' },
  })
})
