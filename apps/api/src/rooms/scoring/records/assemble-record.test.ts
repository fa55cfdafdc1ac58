import { expect, test } from 'vitest'
import { objectOf } from '../../../lib/map-values.ts'
import { type FactColumns, factColumns } from '../../businesses/businesses.pure.ts'
import { compile } from '../rules/evaluate.rules.ts'
import { reasonOf, reasonStates } from '../rules/outcomes.rules.ts'
import { assembleRecord } from './assemble-record.ts'
import type { ClaimRow } from './record-rows.queries.ts'
import { placeOf } from './scoring-record.ts'

const NOW = Date.parse('2026-11-28T08:00:00Z')

const claim = (id: string, value: string, isOfBlocked: 0 | 1): ClaimRow => ({
  business_id: 'b1',
  id,
  field: 'industry',
  value,
  confidence: 'high',
  captured_at: '2026-11-20T08:00:00Z',
  observed_at: null,
  source: 'A directory',
  is_of_blocked: isOfBlocked,
})

const assemble = (claims: ClaimRow[]) =>
  assembleRecord({
    business: {
      ...objectOf<FactColumns>(factColumns, () => null),
      industry: 'Plumbing',
      id: 'b1',
      created_at: '2026-11-01T08:00:00Z',
      do_not_contact: 0,
      is_matched: 0,
      pipeline_state: 'new',
      province_code: null,
      tags: '[]',
      assignee_id: null,
    },
    identifiers: [],
    claims,
    interactions: [],
    strongDuplicates: 0,
  })

const industry = { id: 'i', signal: 'record.industry', op: 'is' as const, value: 'plumbing', points: 10 }

function stateOf(claims: ClaimRow[]) {
  const { groups } = compile({
    groups: [{ id: 'g', name: 'G', min: 0, max: 100, rules: [industry] }],
    gates: [],
    bands: [
      { id: 'A', name: 'A', from: 60 },
      { id: 'B', name: 'B', from: 0 },
    ],
    straddling: 'lowest',
    rounding: 'half_up',
    tieBreak: 'completeness',
    suppression: 'first',
  })
  return reasonStates[reasonOf(groups[0]?.rules[0]?.decide(assemble(claims), NOW) ?? -1)]
}

test('evidence that comes only from a merged do-not-contact record is blocked, and decides nothing beside other evidence', () => {
  expect(stateOf([claim('1', 'Plumbing', 1)])).toBe('blocked')
  expect(stateOf([claim('1', 'Plumbing', 0)])).toBe('current')
  expect(stateOf([claim('2', 'Bakery', 1), claim('1', 'Plumbing', 0)])).toBe('current')
  const [blocked] = [assemble([claim('1', 'Plumbing', 1)]).evidence[placeOf('industry')]]
  expect(blocked).toMatchObject({ claims: 1, supporting: 0, confidence: -1, restsOn: [{ isOfBlocked: true }] })
})
