import type { MergeField } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { emptyDraft, type MergeDraft } from './merge-draft.ts'
import { mergeSummary } from './merge-summary.ts'
import type { Pair } from './pair-changes.ts'

const row = (field: MergeField, a: string | null, b: string | null) => {
  const differs = a !== b
  return { field, values: [a, b], evidence: [0, 0], differs, mustChoose: differs && field === 'pipelineState' }
}
const pair = {
  suggestion: {
    businesses: [
      { id: 'a', name: 'Karoo' },
      { id: 'b', name: 'Vaal' },
    ],
  },
  preview: { fields: [row('industry', null, 'Irrigation'), row('pipelineState', 'new', 'contacted')] },
} as unknown as Pair
const summary = (draft: Partial<MergeDraft>) => mergeSummary(pair, { ...emptyDraft, ...draft })

test('the summary names what the merge will do, and what it still requires', () => {
  expect(summary({})).toBe('Choose the record to keep.')
  expect(summary({ survivorId: 'a' })).toBe(
    'Keeps Karoo with 1 value of Vaal. Choose the pipeline state. Enter a reason.',
  )
  expect(summary({ survivorId: 'a', fields: { pipelineState: 'b' }, reason: 'Same yard' })).toBe(
    'Keeps Karoo with 2 values of Vaal.',
  )
  expect(summary({ survivorId: 'b', fields: { pipelineState: 'b' }, reason: 'Same yard' })).toBe('Keeps Vaal.')
})
