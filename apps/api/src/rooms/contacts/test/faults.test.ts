import { expect, test } from 'vitest'
import { walk } from '../../../../test/prospects.ts'
import { heldContentOf } from '../../scanning/scanning.ts'
import type { Readiness } from '../enablement/enablement.schema.ts'
import { contactWorld, headers, reason } from './contact-world.ts'

const long = 'We build fences of steel for farms in the Karoo. '.repeat(10_000)
const page = `<title>Contact us</title><h1>Contact us</h1><p>desk@karoo.co.za</p><p>navrae@karoo.co.za</p><p>${long}</p>`

/** Requests an extraction, and runs `meanwhile` between its start and its end: while a thread reads the page. */
async function extractWhile(meanwhile: (world: Awaited<ReturnType<typeof contactWorld>>) => Promise<unknown>) {
  const world = await contactWorld({ hasWorker: false })
  const { t, supply, request, ended, work, readExtraction } = world
  const { body } = await request([await supply(page)])
  let done: Promise<unknown> | undefined
  t.store.signals.on('recorded', (_, actions) => {
    if (actions.includes('extraction.start')) done ??= meanwhile(world)
  })
  work()
  await ended(body.jobId ?? '')
  await done
  return { ...world, extraction: await readExtraction(body.id) }
}

test('an entry that is added between reading and writing keeps its value out', async () => {
  const { extraction, list } = await extractWhile(({ suppress }) => suppress('email', 'desk@karoo.co.za'))
  expect(extraction).toMatchObject({ state: 'complete', counts: { open: 1, suppressed: 1 } })
  expect((await list()).map(({ value }) => value)).toEqual(['navrae@karoo.co.za'])
})

test('a site that is suppressed while it is read blocks the extraction, and nothing is stored', async () => {
  const { t, extraction } = await extractWhile(({ suppress }) => suppress('domain', 'karoo.co.za'))
  expect(extraction).toMatchObject({ state: 'blocked', reasons: ['do_not_contact'], counts: { open: 0 } })
  expect(await t.store.reader.selectFrom('contact_candidates').selectAll().execute()).toEqual([])
})

test('an extraction that is disabled while it runs is deferred, and nothing is stored', async () => {
  const { t, extraction } = await extractWhile(({ administrator }) =>
    administrator.post('/extraction/enablement', { enabled: false, reason }),
  )
  expect(extraction).toMatchObject({ state: 'deferred', reasons: ['enablement_lapsed'] })
  expect(await t.store.reader.selectFrom('contact_candidates').selectAll().execute()).toEqual([])
})

test('a page without its time of observation fails the extraction, which the readiness lists', async () => {
  const { t, operator, supply, request, ended, readExtraction } = await contactWorld()
  const scanId = await supply(page)
  const [held] = heldContentOf(t.store).pagesOf(t.tenants.home.id, scanId)
  Object.assign(held ?? {}, { observedAt: '' })
  const { body } = await request([scanId])
  await ended(body.jobId ?? '')
  expect(await readExtraction(body.id)).toMatchObject({ state: 'failed', reasons: ['provenance_incomplete'] })
  expect(await t.store.reader.selectFrom('contact_candidates').selectAll().execute()).toEqual([])
  expect((await operator.get<Readiness>('/extraction/readiness')).body).toMatchObject({
    state: 'enabled',
    failures: [{ extractionId: body.id, reason: 'provenance_incomplete' }],
  })
})

test('a page that a scan read in part makes the result unknown', async () => {
  const { extract } = await contactWorld()
  const extraction = await extract(`<h1>Contact us</h1><p>desk@karoo.co.za</p><p>${'x'.repeat(4_500_000)}</p>`)
  expect(extraction).toMatchObject({ state: 'unknown', counts: { open: 1 } })
  expect(extraction.reasons).toContain('scan_incomplete')
})

test('a cancelled extraction ends as cancelled, and nothing is stored', async () => {
  const { t, operator, supply, request, readExtraction } = await contactWorld({ hasWorker: false })
  const { body } = await request([await supply(page)])
  expect((await operator.post(`/jobs/${body.jobId}/cancellation`, {})).status).toBe(200)
  expect(await readExtraction(body.id)).toMatchObject({ state: 'cancelled', reasons: ['cancelled'] })
  expect(await t.store.reader.selectFrom('contact_candidates').selectAll().execute()).toEqual([])
})

test.each(['accept', 'reject'] as const)(
  'of two decisions at once one counts and the other one is refused: %s',
  async (other) => {
    const { t, id, operator, manager, extract, list, decide } = await contactWorld()
    await extract(page)
    const [candidate] = await list()
    if (candidate === undefined) throw new Error('There is no candidate.')
    const answers = await Promise.all([
      decide(candidate, { addToRecord: true }),
      decide(candidate, { decision: other, reason }, manager),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.map(({ body }) => body.code)).toContain('candidate_not_open')
    const decisions = await t.store.reader.selectFrom('contact_decisions').select('decision').execute()
    expect(decisions).toHaveLength(1)
    const accepted = decisions.filter(({ decision }) => decision === 'accept').length
    expect(await walk(operator, `/businesses/${id}/evidence`)).toHaveLength(accepted)
  },
)

test('a repeated decision with the same key returns the stored answer and decides nothing', async () => {
  const { t, operator, extract, list } = await contactWorld()
  await extract(page)
  const [candidate] = await list()
  const body = { decision: 'accept', fingerprint: candidate?.fingerprint }
  const key = headers()
  const path = `/contact-candidates/${candidate?.id}/decision`
  expect((await operator.post(path, body, key)).status).toBe(200)
  const changes = await t.changes(async () => expect((await operator.post(path, body, key)).status).toBe(200))
  expect(changes).toEqual({})
})
