import { describe, test } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import type { Place } from '../../src/rooms/fixture.ts'
import { permissionsOf, type Role, roles } from '../../src/rooms/identity/permissions.ts'
import { ask, askRefused, freshClient, isSuccess, nameOf, seenAs, seenVersion } from '../asking.ts'
import type { Answer } from '../build-app.ts'
import { everywhere, furnishedApp } from '../furnished.ts'
import { byRoom, type Operation, pathValues } from '../operations.ts'
import type { Problem } from '../prospects.ts'

/* Tests access to each operation that requires a session. The operations come from the routes and fixtures of all rooms. */

const MISSING = 'no-such-record'

const isAllowed = ({ permission }: Operation, role: Role) => permission === null || permissionsOf(role).has(permission)

/** Returns the check of the status that a valid request by a person of this role must get. An administrator has created the records. */
function answersTo({ case: one }: Operation, role: Role, isDecided: boolean): (status: number) => boolean {
  const isFound = one.needsAlso === undefined || permissionsOf(role).has(one.needsAlso)
  if (!isFound || (one.isOfItsMaker === true && role !== 'administrator')) return (status) => status === 404
  if (one.answers !== undefined) return (status) => status === one.answers
  return (status) => isSuccess(status) || (isDecided && status === one.answersAgain)
}

describe.each(byRoom(({ isOpen }) => !isOpen))('every operation of %s', (_room, operations) => {
  test('returns 401 without a session, with an altered and with an ended one, and changes nothing', async ({
    expect,
  }) => {
    const { t, place } = await furnishedApp()
    const ended = await freshClient(t, 'manager')
    await ended.delete('/session')
    // The first use of an ended session is recorded in the audit; later uses write nothing.
    await ended.get('/session')
    const nobody = [t.visitor(), t.withSession('spoilt'), ended]
    const answers = await askRefused(t, operations, place, nobody)
    expect(answers.map(seenAs)).toEqual(
      operations.flatMap((operation) => nobody.map(() => [nameOf(operation), 401, 'authentication_required'])),
    )
  })

  test('returns 403 to a role without its permission and changes nothing but the audit of approvals; any other role gets a response', async ({
    expect,
  }) => {
    const { t, place } = await furnishedApp()
    const otherwise: unknown[] = []
    const decided = new Set<Operation>()
    for (const role of roles) {
      const refused = operations.filter((operation) => !isAllowed(operation, role))
      const events = refused.filter((operation) => operation.refused !== undefined).length
      const answers = await askRefused(t, refused, place, [await t.as(role)], { events })
      expect(answers.map(seenAs)).toEqual(refused.map((operation) => [nameOf(operation), 403, 'permission_denied']))
      for (const operation of operations.filter((one) => isAllowed(one, role))) {
        const client = await freshClient(t, role)
        const headers = await seenVersion(operation, place, client)
        const { status } = await ask(operation, place, { client, headers })
        if (isSuccess(status)) decided.add(operation)
        if (!answersTo(operation, role, decided.has(operation))(status))
          otherwise.push([role, nameOf(operation), status])
      }
    }
    expect(otherwise).toEqual([])
  })

  // cross-tenant.test.ts covers operations whose path contains a value instead of an identifier.
  const named = operations.filter((one) => one.parameters.length > 0 && one.case.takesAnyValue === undefined)
  if (named.length === 0) return

  test('returns the same 404 for a record that is missing, malformed, of another tenant or under another parent, and changes nothing', async ({
    expect,
  }) => {
    const { t, place, foreign } = await furnishedApp()
    const client = await t.as('administrator')
    const elsewhere = [everywhere(place, newId()), everywhere(place, MISSING), everywhere(place, '%00'), foreign]
    for (const operation of named) {
      const all = [
        ...elsewhere.map((where) => pathValues(operation, where)),
        ...underAnotherParent(operation, place, foreign),
      ]
      const answers: Answer<Problem>[] = []
      const changes = await t.changes(async () => {
        for (const values of all)
          answers.push(await ask(operation, place, { client, headers: { 'if-match': '"1"' }, values }))
      })
      expect([nameOf(operation), changes]).toEqual([nameOf(operation), {}])
      const [first] = answers
      expect([nameOf(operation), first]).toMatchObject([
        nameOf(operation),
        { status: 404, body: { code: 'not_found' } },
      ])
      for (const { status, body } of answers)
        expect([nameOf(operation), status, { ...body, requestId: '' }]).toEqual([
          nameOf(operation),
          404,
          { ...first?.body, requestId: '' },
        ])
    }
  })
})

/** Returns path values that combine a child record of another tenant with a parent record of the person's own tenant. */
function underAnotherParent(operation: Operation, place: Place, foreign: Place): Record<string, string>[] {
  const child = operation.parameters.at(-1)
  if (operation.parameters.length < 2 || child === undefined) return []
  const values = pathValues(operation, foreign)
  return [{ ...pathValues(operation, place), [child]: values[child] ?? '' }]
}
