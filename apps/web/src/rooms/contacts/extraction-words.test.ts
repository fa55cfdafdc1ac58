import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ruleWords } from './contact-words.ts'
import { leftOutOf } from './extraction-words.ts'

const openApi = JSON.parse(readFileSync('apps/api/src/http/openapi.json', 'utf8'))
const rules: string[] = openApi.components.schemas.Extraction.properties.counts.properties.byRule.propertyNames.enum

test('every reason of the API that leaves a text out has words, and quarantined ones are not left out', () => {
  const byRule = Object.fromEntries(rules.map((rule) => [rule, 1]))
  const leftOut = leftOutOf({ counts: { byRule } as Parameters<typeof leftOutOf>[0]['counts'], examples: {} })
  expect(leftOut).toHaveLength(rules.length - Object.keys(ruleWords).length)
  expect(new Set(leftOut.map(({ reason }) => reason)).size).toBe(leftOut.length)
})
