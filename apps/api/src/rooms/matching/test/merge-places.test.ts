import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { askMerge, askReversal, merged, suggestedPair, suggestionOfPair } from '../../../../test/merging.ts'
import { moveTo, walk } from '../../../../test/prospects.ts'
import type { AuditEvent } from '../../audit/audit.ts'
import type { Business } from '../../businesses/businesses.ts'
import type { MergePreview } from '../merging/merges.schema.ts'

test('records paused in different states conflict: the conflict is shown, must be decided, is recorded and can be reversed', async () => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const { a, b } = await suggestedPair(t, manager, 'Karoo Pumps')
  await moveTo(manager, b, 'contacted')
  for (const id of [a, b]) await moveTo(manager, id, 'paused', 'They are moving.')
  const place = async () => {
    const { pipelineState, stateBeforePause } = (await manager.get<Business>(`/businesses/${a}`)).body
    return [pipelineState, stateBeforePause]
  }
  const seen = await suggestionOfPair(manager, a, b)
  const values = ['paused, before that new', 'paused, before that contacted']
  expect(seen.conflicts).toMatchObject([{ field: 'pipelineState', values }])
  const { body: preview } = await manager.get<MergePreview>(`/match-suggestions/${seen.id}/merge-preview`)
  const row = preview.fields.find(({ field }) => field === 'pipelineState')
  expect(row).toMatchObject({ values, differs: true, mustChoose: true })

  const undecided = await askMerge(manager, seen, a)
  expect([undecided.status, undecided.body.code]).toEqual([422, 'conflicts_unresolved'])
  expect(undecided.body.detail).toContain(values[1])
  const { id, choices } = await merged(askMerge(manager, seen, a, { fields: { pipelineState: b } }))
  expect(choices).toMatchObject([{ field: 'pipelineState', value: values[1], alternative: { value: values[0] } }])
  expect(await place()).toEqual(['paused', 'contacted'])
  const told = (await walk<AuditEvent>(manager, `/businesses/${a}/activity`)).find(
    ({ action, subject }) => action === 'matching.merge' && subject.id === a,
  )
  expect([told?.before, told?.after]).toMatchObject([{ stateBeforePause: 'new' }, { stateBeforePause: 'contacted' }])
  expect((await askReversal(manager, id)).status).toBe(200)
  expect(await place()).toEqual(['paused', 'new'])
})
