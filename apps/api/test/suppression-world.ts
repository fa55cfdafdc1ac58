import type { Business } from '../src/rooms/businesses/businesses.schema.ts'
import type { AddedSuppression, RemovedSuppression } from '../src/rooms/suppression/suppression.schema.ts'
import { buildTestApp } from './build-app.ts'
import { createProspect, type Refusal } from './prospects.ts'

type Body = Record<string, unknown>

/**
 * Creates an app with three people (an operator adds entries, an administrator removes them, a viewer only reads) and a function for each of their
 * actions.
 */
export async function suppressionWorld() {
  const t = await buildTestApp()
  const [operator, administrator, viewer] = [await t.as('operator'), await t.as('administrator'), await t.as('viewer')]
  const suppress = (value: string, more: Body = {}) =>
    operator.post<AddedSuppression & Refusal>('/suppressions', {
      kind: 'email',
      value,
      reason: 'They asked in writing.',
      channel: 'letter',
      ...more,
    })
  const remove = (id: string, reason: unknown = 'They came back.') =>
    administrator.post<RemovedSuppression & Refusal>(`/suppressions/${id}/removal`, { reason })
  const read = async (id: string) => (await operator.get<Business>(`/businesses/${id}`)).body
  const edit = async (id: string, body: Body) => {
    const { version } = await read(id)
    return operator.patch<Business>(`/businesses/${id}`, body, { 'if-match': `"${version}"` })
  }
  const emailed = (value: string, name = 'Karoo Windpumps') => createProspect(operator, { name, emails: [{ value }] })
  return { t, operator, administrator, viewer, suppress, remove, read, edit, emailed }
}
