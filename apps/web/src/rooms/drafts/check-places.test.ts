import { expect, test } from 'vitest'
import { placeOf } from './check-places.ts'
import { checkNames } from './draft-words.ts'

test.each([
  ['recipient', null, { at: 'part', id: 'draft-recipient' }],
  ['citations', 'citations.2', { at: 'part', id: 'draft-citations-2' }],
  ['citations', 'noCitationReason', { at: 'part', id: 'draft-noCitationReason' }],
  ['content', 'subject', { at: 'part', id: 'draft-subject' }],
  ['suppression', 'business', { at: 'record' }],
  ['legal_basis', 'legal-bases', { at: 'record', tab: 'drafts' }],
  ['ai_origin', 'suggestion', { at: 'record', tab: 'assistance' }],
  ['legal_basis', 'policy', { at: 'policies' }],
  ['caps', 'caps', { at: 'policies' }],
  ['registry', 'registry', { at: 'registry' }],
  ['approval', 'approval', { at: 'part', id: 'draft-approval' }],
] as const)('the check %s about %s is at %o', (key, path, place) => {
  expect(placeOf({ key, path })).toEqual(place)
})

test('a passed check has a place too', () => {
  for (const key of Object.keys(checkNames) as (keyof typeof checkNames)[])
    expect(placeOf({ key, path: null }).at).toMatch(/part|record|policies|registry/)
})
