import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { boundWords, retention } from './policy-words.ts'

const openApi = JSON.parse(readFileSync('apps/api/src/http/openapi.json', 'utf8'))
const { properties } = openApi.paths['/api/v1/scan-policies'].post.requestBody.content['application/json'].schema

test('the limits of the form match the API', () => {
  const stated = Object.entries<{ minimum: number; maximum: number }>(properties.bounds.properties).map(
    ([name, { minimum, maximum }]) => [name, minimum, maximum],
  )
  const shown = Object.entries(boundWords).map(([name, { lowest, ceiling }]) => [name, lowest, ceiling])
  expect(shown.toSorted()).toEqual(stated.toSorted())
  expect([properties.retentionDays.minimum, properties.retentionDays.maximum]).toEqual([retention.min, retention.max])
})
