import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checklistOf } from './checklist.ts'

test('the runbook has the items of the checklist in the same order', () => {
  const runbook = readFileSync(new URL('../../../../../docs/runbook.md', import.meta.url), 'utf8')
  const section = runbook.slice(runbook.indexOf('## Deployment checklist'), runbook.indexOf('## The container stack'))
  const headings = [...section.matchAll(/^\*\*\d+\. (.+?)\.?\*\*/gm)].map(([, heading = '']) => heading)
  const run = {
    ...{ started_at: '', ended_at: '', commit: null, product_version: '', image_digest: null },
    ...{ configuration_revision: '', schema_version: 1, node: '', adapters: { file: null, items: [] } },
  }
  const items = checklistOf({ run, gates: {} }).map(({ item }) => item)
  expect(headings.filter((heading) => items.some((item) => heading.startsWith(item)))).toHaveLength(items.length)
  const positions = items.map((item) => headings.findIndex((heading) => heading.startsWith(item)))
  expect(positions).toEqual(positions.toSorted((a, b) => a - b))
  expect(positions).not.toContain(-1)
})
