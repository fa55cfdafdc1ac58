import { expect, test } from 'vitest'
import { initialPolicy, policyBody, wrongNumbers } from './policy-values.ts'

test('a version contains the chosen values and omits the others', () => {
  const body = policyBody({ ...initialPolicy, claims: false }, { ownerId: 'u1', sourceVersion: undefined })
  expect(body).toMatchObject({ purposes: ['prospect_summary'], ownerId: 'u1', retention: 'days_30' })
  expect(body).not.toHaveProperty('sourceId')
  expect(body).not.toHaveProperty('dataClasses')
  expect(body?.freshnessDays).toMatchObject({ name: 365, observation: 365 })
})

test('only integers are accepted', () => {
  expect(wrongNumbers(initialPolicy)).toEqual({})
  expect(Object.keys(wrongNumbers({ ...initialPolicy, callsPerDay: '1.5', costPerDay: '' }))).toEqual([
    'callsPerDay',
    'costPerDay',
  ])
})
