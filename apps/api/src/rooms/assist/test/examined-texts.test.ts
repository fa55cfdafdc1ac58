import { expect, test } from 'vitest'
import { assistWorld, completed, receiptOf, suggested } from '../../../../test/assist-world.ts'
import { addEvidenceTo, type Problem } from '../../../../test/prospects.ts'
import { CONTACTS_OF_ITEM } from '../bounds.ts'
import type { Preview } from '../suggestions/suggestions.schema.ts'

const about = { sourceLabel: 'A visit', capturedAt: '2026-11-20T09:00:00Z', confidence: 'high' }

async function ready(...script: Parameters<typeof assistWorld>) {
  const world = await assistWorld(...script)
  await world.approvedPolicy()
  const { operator, businessId } = world
  const observe = async (observation: string) =>
    (await addEvidenceTo(operator, businessId, { ...about, observation })).id
  const preview = (evidenceIds: string[]) =>
    operator.post<Preview & Problem>('/assist/previews', { businessId, purpose: 'prospect_summary', evidenceIds })
  return { ...world, observe, preview }
}

test('texts that are too long after Unicode normalization, or have too many values, are withheld with the reason', async () => {
  const { observe, preview } = await ready()
  const plain = await observe('The workshop repairs windpumps.')
  const long = await observe('㌖'.repeat(5_000))
  const addresses = Array.from({ length: CONTACTS_OF_ITEM + 1 }, (_, index) => `jan${index}@karoo.co.za`)
  const crowded = await observe(addresses.join(' '))
  const { status, body } = await preview([plain, long, crowded])
  expect([status, body.withheld]).toEqual([
    200,
    [
      { evidenceId: long, reason: 'too_long' },
      { evidenceId: crowded, reason: 'too_many_values' },
    ],
  ])
  expect(body.content).toContain('The workshop repairs windpumps.')
  expect(body.content).not.toMatch(/karoo|キロ/)
  expect((await preview([long])).body.code).toBe('evidence_not_usable')
})

test('a prompt that is too large is refused with its size and the maximum', async () => {
  const { operator, businessId, observe, preview } = await ready()
  const evidenceIds: string[] = []
  for (let index = 0; index < 8; index++)
    evidenceIds.push(await observe(`${'The workshop repairs windpumps. '.repeat(150)}${index}`))
  const { body: shown } = await preview(evidenceIds)
  const detail = expect.stringMatching(/^The prompt has \d\d,\d{3} bytes; the limit is 32,768. Choose fewer or shorter/)
  expect(shown.blocked).toMatchObject({ code: 'prompt_too_large', detail })
  const request = { businessId, purpose: 'prospect_summary', evidenceIds, contentHash: '0'.repeat(64) }
  const refused = await operator.post<Problem>('/assist/suggestions', request, { 'idempotency-key': 'large' })
  expect(refused).toMatchObject({
    status: 422,
    body: { code: 'prompt_too_large', limit: 'prompt', detail, max: 32_768 },
  })
})

test.each([
  ['phone', '+27827654321', '082_765_4321'],
  ['phone', '+27827654321', 'since 2024 082−765−4321 (8-17)'],
  ['domain', 'springbok.co.za', 'springbok dot co dot za'],
  ['domain', 'springbok.co.za', 'https://example.com/?u=springbok%2Eco.za'],
  ['email', 'quagga@springbok.co.za', 'quagga(a)[springbok.co.za]'],
])('evidence with a suppressed %s is refused in any form', async (kind, value, form) => {
  const { manager, observe, preview, prompts } = await ready()
  const entry = { kind, value, reason: 'They asked.', channel: 'email' }
  expect((await manager.post('/suppressions', entry)).status).toBe(201)
  const id = await observe(`Ask for Jan: ${form}`)
  const { status, body } = await preview([id])
  expect([status, body.code, body.errors]).toMatchObject([422, 'suppressed', [{ path: `evidenceIds.${id}` }]])
  expect(prompts).toHaveLength(0)
})

test('nothing secret of an observation is sent, and the person sees what was removed', async () => {
  const { observe, preview } = await ready()
  const ids = [
    await observe('session=abc123def456; Bearer eyJhbGciOi.eyJzdWIi.sig'),
    await observe('Authorization: Basic dXNlcjpwYXNz'),
    await observe('login admin / admin123, PIN 4821, sid: s%3AabcDEF.123'),
    await observe('<html><body><p>Pumps</p><script>token()</script></body></html>'),
  ]
  const { body } = await preview(ids)
  expect(body.content).not.toMatch(/abc123|eyJ|dXNl|admin123|4821|abcDEF|<html|script/)
  expect(body.redactions).toMatchObject([
    { evidenceId: ids[0], kind: 'secret' },
    { evidenceId: ids[1], kind: 'secret' },
    { evidenceId: ids[2], kind: 'secret' },
    { evidenceId: ids[3], kind: 'markup' },
  ])
})

test('a claim with a value in a form that hides it, or that NFKC makes too long, is dropped', async () => {
  const quotes = ['repairs windpumps for farms']
  const texts = [
    'It repairs windpumps.',
    'See zonkeyfarm dot co dot za.',
    'See zonkeyfarm[.]co[.]za.',
    '㌖'.repeat(1_000),
  ]
  const claims = texts.map((text) => ({ text, citations: [{ item: 'E1', quotes }] }))
  const world = await ready((input) => completed(JSON.stringify({ receipt: receiptOf(input), claims })))
  const id = await world.observe('The workshop repairs windpumps for farms.')
  expect(await suggested(world, [id])).toMatchObject({
    claims: [{ text: 'It repairs windpumps.' }],
    result: {
      kind: 'partial',
      dropped: [
        { reason: 'value_not_in_input', count: 2 },
        { reason: 'too_long', count: 1 },
      ],
    },
  })
})
