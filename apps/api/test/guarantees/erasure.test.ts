import { expect, test } from 'vitest'
import { businessChildren } from '../../src/rooms/facts.ts'
import type { Place } from '../../src/rooms/fixture.ts'
import { rooms } from '../../src/rooms/index.ts'
import { ask, isSuccess, nameOf, seenVersion } from '../asking.ts'
import type { TestClient } from '../build-app.ts'
import { furnishedApp } from '../furnished.ts'
import { markedBodies } from '../marked-bodies.ts'
import { type Operation, operations } from '../operations.ts'
import { walk } from '../prospects.ts'
import { marksInTables, marksOutsideTheLog } from '../remains.ts'

/* Tests for each room with data about a business that an erasure removes the data. The operations come from the fixtures of all rooms. */

const MARK = 'quagga'

/**
 * Tables in which this test cannot write its mark, because their text is a value of the record, comes from a provider or a web page, or is in
 * another table of their room. The test of
 * their own room shows that an erasure empties them.
 */
const fromTheRecord: readonly string[] = [
  'official_sites',
  'assist_suggestions',
  'extractions',
  'contact_candidates',
  'people',
]

/** Returns true for an operation that writes data about one business, in a room that takes part in an erasure. */
function tells({
  room,
  method,
  parameters,
  id,
  case: { asksOnly, answers, path, repeats, refersTo },
}: Operation): boolean {
  const isInPath = parameters.join() === 'businessId' && (path === undefined || repeats !== undefined)
  const isInBody = parameters.length === 0 && refersTo?.businessId !== undefined
  const isAboutOne = (isInPath || isInBody) && (method === 'post' || method === 'patch')
  const isErased = rooms.some(({ name, erase, erases }) => name === room && (erase ?? erases) !== undefined)
  const isRefused = answers !== undefined && answers >= 400
  return isAboutOne && isErased && !isRefused && asksOnly !== true && id !== 'blockBusiness'
}

/** Accepts the proposed domain, because a proposed domain becomes a child of the business only when somebody accepts it. */
async function acceptProposed(administrator: TestClient, businessId: string): Promise<void> {
  const open = await walk<{ id: string; domain: string }>(administrator, `/domain-candidates?businessId=${businessId}`)
  const { id } = open.find(({ domain }) => domain.includes(MARK)) ?? { id: '' }
  const { body } = await administrator.get<{ fingerprint: string }>(`/domain-candidates/${id}`)
  const decision = { decision: 'accept', reason: MARK, fingerprint: body.fingerprint }
  expect((await administrator.post(`/domain-candidates/${id}/decision`, decision)).status).toBe(200)
}

/** Returns the body with the value that its sender must repeat from a response, for operations that require one. */
async function asSeen(
  { case: { repeats } }: Operation,
  place: Place,
  client: TestClient,
  body: object | string,
): Promise<object | string> {
  if (repeats === undefined || typeof body === 'string') return body
  const answer = await client.post<Record<string, unknown>>(repeats.of(place), {})
  return { ...body, [repeats.property]: answer.body[repeats.property] }
}

/** Returns the same operation for the business that is being erased, if its case uses a business of its own. */
function aboutBusiness(operation: Operation): Operation {
  const { path: _path, ...rest } = operation.case
  return operation.case.repeats === undefined ? operation : { ...operation, case: rest }
}

test('no table or file contains data of a business from any room after its erasure', async () => {
  const { t, place } = await furnishedApp()
  const administrator = await t.as('administrator')
  const telling = operations.filter(tells)
  const businessIds = new Set([place.businessId])
  for (const operation of telling) {
    const statuses: number[] = []
    for (const body of markedBodies(operation, place, MARK)) {
      const headers = {
        'idempotency-key': `${operation.id} ${statuses.length}`,
        ...(await seenVersion(operation, place, administrator)),
      }
      if (typeof body === 'object' && 'businessId' in body) businessIds.add(String(body.businessId))
      const asked = { client: administrator, headers, body: await asSeen(operation, place, administrator, body) }
      statuses.push((await ask(aboutBusiness(operation), place, asked)).status)
    }
    expect([nameOf(operation), statuses.every(isSuccess)]).toEqual([nameOf(operation), true])
  }
  await acceptProposed(administrator, place.businessId)
  const { dataDir } = t.store
  const children = Object.values(businessChildren).flatMap(({ table }) => (fromTheRecord.includes(table) ? [] : table))
  expect(Object.keys(marksInTables(dataDir, [MARK]))).toEqual(
    expect.arrayContaining(['businesses', 'business_identifiers', 'audit_events', ...children]),
  )

  for (const businessId of businessIds) {
    const erased = await administrator.post(`/businesses/${businessId}/erasure`, { reason: 'The person asked.' })
    expect(erased.status).toBe(200)
  }
  await t.store.writes.idle()
  expect(marksInTables(dataDir, [MARK])).toEqual({})
  expect(await marksOutsideTheLog(dataDir, [MARK])).toEqual([])
})
