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

test('contact extraction is shown by its fixtures, whatever the status of the phase', () => {
  const run = {
    ...{ started_at: '', ended_at: '', commit: null, product_version: '', image_digest: 'sha256:1' },
    ...{ configuration_revision: 'r', schema_version: 1, node: '', adapters: { file: null, items: [] } },
  }
  const itemOf = (results: { name: string; passed: boolean; found: string }[]) => {
    const gate = { phase: 9, status: 'contract_only', expected: 'contract_only', passed: true, results }
    return checklistOf({ run, gates: { phase_9: gate } as never }).find(({ item }) => item === 'Contact extraction')
  }
  const fixture = (passed: boolean) => ({ name: 'fixtures of official sites: labels', passed, found: '' })
  expect(itemOf([])).toMatchObject({ status: 'not_shown', how: 'The fixtures of Phase 9 did not run.' })
  expect(itemOf([fixture(true), fixture(false)])).toMatchObject({
    status: 'not_shown',
    how: 'Failed: fixtures of official sites: labels.',
  })
  expect(itemOf([fixture(true)])).toMatchObject({
    status: 'shown',
    how: expect.stringContaining('Extraction from fetched pages is not enabled here (contract_only).'),
  })
})
