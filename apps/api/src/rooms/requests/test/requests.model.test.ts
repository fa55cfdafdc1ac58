import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { createProspect } from '../../../../test/prospects.ts'
import type { SubjectRequest } from '../requests.schema.ts'

/* Random orders of the acts on one request, compared with a model of its state. */

type Model = { version: number; isExtended: boolean; isAnswered: boolean; isEmptied: boolean }
type Step = 'edit' | 'extend' | 'answer' | 'erase'

const step = fc.constantFrom<Step>('edit', 'extend', 'answer', 'erase')

/** Returns the expected status of a step, and changes the model if the step succeeds. */
function expected(model: Model, one: Step): number {
  if (one === 'erase') {
    if (model.isEmptied) return 409
    model.isEmptied = true
    model.version += 1
    return 200
  }
  if (model.isAnswered) return 409
  if (one === 'edit' && model.isEmptied) return 409
  if (one === 'extend' && model.isExtended) return 409
  if (one === 'extend') model.isExtended = true
  if (one === 'answer') model.isAnswered = true
  model.version += 1
  return 200
}

test('a request follows its model in every order of acts', async () => {
  const t = await buildTestApp()
  const [operator, administrator] = [await t.as('operator'), await t.as('administrator')]
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), async (steps) => {
      const { id: businessId } = await createProspect(operator)
      const requester = { name: 'Somebody', contact: null }
      const entry = { kind: 'erasure', receivedAt: '2026-11-02T08:00:00Z', requester, businessId }
      const { id } = (await administrator.post<SubjectRequest>('/subject-requests', entry)).body
      const path = `/subject-requests/${id}`
      const model: Model = { version: 1, isExtended: false, isAnswered: false, isEmptied: false }
      const act = (one: Step) => {
        if (one === 'edit')
          return administrator.patch(path, { identityCheck: 'Passport.' }, { 'if-match': `"${model.version}"` })
        if (one === 'extend') return administrator.post(`${path}/extension`, { dueOn: '2026-12-20', reason: 'Paper.' })
        if (one === 'answer') return administrator.post(`${path}/answer`, { outcome: 'granted', how: 'By letter.' })
        return administrator.post(`/businesses/${businessId}/erasure`, { reason: 'Asked.' })
      }
      for (const one of steps) {
        const { status } = await act(one)
        expect([steps, one, status]).toEqual([steps, one, expected(model, one)])
        const { body } = await administrator.get<SubjectRequest>(path)
        expect(body).toMatchObject({
          version: model.version,
          dueOn: model.isExtended ? '2026-12-20' : '2026-12-02',
          status: model.isAnswered ? 'answered' : 'open',
        })
        expect(body.emptiedAt !== null).toBe(model.isEmptied)
      }
    }),
    { numRuns: 15 },
  )
})
