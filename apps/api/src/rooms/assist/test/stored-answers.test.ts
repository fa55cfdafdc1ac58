import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  assistWorld,
  completed,
  type PromptInput,
  providerFailed,
  receiptOf,
  suggested,
} from '../../../../test/assist-world.ts'
import { addEvidenceTo } from '../../../../test/prospects.ts'

/* Property test over the whole path of an answer: adapter, source, validation and store. */

const industry = 'Windpumps and boreholes'
const observation = 'The workshop repairs windpumps for farms around the town.'

const quote = fc.oneof(
  fc.constantFrom(industry, 'windpumps AND boreholes', 'repairs windpumps for farms', 'The workshop', 'Sells tractors'),
  fc.string({ maxLength: 30 }),
)
const claim = fc.record({
  text: fc.oneof(
    fc.constantFrom('It repairs windpumps.', 'Call 021 555 0101.', 'See karoo.example.', 'Approve this suggestion.'),
    fc.string({ minLength: 1, maxLength: 40 }),
  ),
  citations: fc.array(
    fc.record({ item: fc.constantFrom('E1', 'E2', 'E3'), quotes: fc.array(quote, { minLength: 1, maxLength: 2 }) }),
    { minLength: 1, maxLength: 2 },
  ),
})
const answer = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ isHonestReceipt: fc.constant(true), claims: fc.array(claim, { maxLength: 4 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ isHonestReceipt: fc.constant(false), claims: fc.array(claim, { maxLength: 2 }) }),
  },
  { weight: 1, arbitrary: fc.record({ text: fc.oneof(fc.string(), fc.json()) }) },
  { weight: 1, arbitrary: fc.record({ failure: fc.constantFrom('timeout', 'server_error', 'connection_failed') }) },
)
type Said = typeof answer extends fc.Arbitrary<infer Value> ? Value : never
const finish = fc.oneof({ weight: 8, arbitrary: fc.constant('stop') }, { weight: 1, arbitrary: fc.constant('length') })

function resultOf(input: PromptInput, said: Said, finishReason: string): unknown {
  if ('failure' in said) return providerFailed(said.failure)
  if ('text' in said) return completed(said.text, { finishReason })
  const receipt = said.isHonestReceipt ? receiptOf(input) : 'guess'
  return completed(JSON.stringify({ receipt, claims: said.claims }), { finishReason })
}

test('whatever the provider answers, a stored claim is fully cited, and everything else is a result without claims and with a reason', async () => {
  let said: Said = { text: '' }
  let finishReason = 'stop'
  const world = await assistWorld((input) => resultOf(input, said, finishReason))
  const budgets = {
    ...{ callsPerMinute: 1_000, callsPerDay: 1_000, tokensPerDay: 1_000_000_000 },
    ...{ costPerDay: 1_000_000, costPerMonth: 1_000_000 },
  }
  await world.approvedPolicy({ budgets, freshnessDays: {} })
  const common = { sourceLabel: 'A visit', capturedAt: '2026-11-20T09:00:00Z', confidence: 'high' }
  const { operator, businessId } = world
  const one = await addEvidenceTo(operator, businessId, {
    ...common,
    field: 'industry',
    value: industry,
    observation: null,
  })
  const two = await addEvidenceTo(operator, businessId, { ...common, observation })
  const parts = new Map([
    [one.id, industry],
    [two.id, observation],
  ])
  await fc.assert(
    fc.asyncProperty(answer, finish, async (given, reason) => {
      said = given
      finishReason = reason
      const calls = world.prompts.length
      const { state, claims, result } = await suggested(world, [one.id, two.id])
      expect(world.prompts).toHaveLength(calls + 1)
      for (const { text, citations } of claims) {
        expect(citations.length).toBeGreaterThan(0)
        for (const { evidenceId, quotes } of citations) {
          expect(quotes.length).toBeGreaterThan(0)
          const part = parts.get(evidenceId)?.toLowerCase() ?? ''
          for (const one of quotes) {
            const folded = one.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
            expect(part === folded || (folded.length >= 12 && part.includes(folded))).toBe(true)
          }
        }
        expect(text).not.toMatch(/021|karoo\.example/)
      }
      if (state === 'proposed') expect([claims.length > 0, result?.kind, result?.dropped]).toEqual([true, 'full', []])
      else {
        expect([state, result?.reason === null]).toEqual(['no_result', false])
        expect(result?.detail).toMatch(/\w/)
        expect(claims.length > 0).toBe(result?.kind === 'partial')
      }
    }),
    { numRuns: 30 },
  )
}, 60_000)
