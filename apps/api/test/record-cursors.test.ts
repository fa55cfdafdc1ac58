import { test } from 'vitest'
import { buildTestApp } from './build-app.ts'
import { addEvidenceTo, addInteractionTo, createProspect, type ListPage, moveTo, type Problem } from './prospects.ts'

/** Of notes and of activity their own tests say so. */
test.for(['evidence', 'interactions', 'pipeline-transitions'])(
  'a cursor of the %s of one business is refused for another’s',
  async (list, { expect }) => {
    const operator = await (await buildTestApp()).as('operator')
    const [one, other] = [await createProspect(operator), await createProspect(operator)]
    for (const { id } of [one, other]) {
      for (const _ of ['first', 'second']) {
        await addEvidenceTo(operator, id)
        await addInteractionTo(operator, id)
      }
      for (const state of ['contacted', 'qualified']) await moveTo(operator, id, state)
    }
    const pageOf = (id: string, query: string) =>
      operator.get<ListPage<unknown> & Problem>(`/businesses/${id}/${list}?limit=1${query}`)
    const { nextCursor } = (await pageOf(one.id, '')).body.page
    expect(await pageOf(one.id, `&cursor=${nextCursor}`)).toMatchObject({ status: 200 })
    expect(await pageOf(other.id, `&cursor=${nextCursor}`)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'cursor', code: 'invalid_cursor' }] },
    })
  },
)
