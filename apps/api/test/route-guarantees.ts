import { describe, test } from 'vitest'
import { newId } from '../src/lib/ids.ts'
import { permissionsOf, roles } from '../src/rooms/identity/permissions.ts'
import { type Answer, buildTestApp } from './build-app.ts'
import type { Problem } from './prospects.ts'
import { holdIdempotency, holdLists, holdVersions } from './protocol-guarantees.ts'
import {
  askAll,
  asker,
  type Hold,
  isSuccess,
  type Place,
  type RouteUnderTest,
  routeName,
  seenAs,
  seenVersion,
  setUp,
} from './routes-under-test.ts'
import type { Headers } from './test-client.ts'

/*
 * What every route of a room owes, whatever it is about. A room names its routes once; that it names all of them is checked against
 * those that the app declares.
 */

const MISSING = 'no-such-record'

/** A place whose every identifier is this. */
function everywhere(place: Place, id: string): Place {
  return { ...place, ...Object.fromEntries(Object.keys(place).map((name) => [name, id])) }
}

export function holdRouteGuarantees(room: string, routes: readonly RouteUnderTest[]): void {
  const changing = routes.filter(({ method }) => method !== 'get')
  holdAccess(room, routes)
  holdChanges(room, changing)
  const keyed = changing.filter(({ method, writesNothing }) => method === 'post' && writesNothing !== true)
  holdIdempotency(
    room,
    keyed.filter(({ decidesOnce }) => decidesOnce !== true),
  )
  // Each on records of its own: what one decides, another cannot.
  for (const route of keyed.filter(({ decidesOnce }) => decidesOnce === true))
    holdIdempotency(`${room}, ${routeName(route)}`, [route])
  holdVersions(
    room,
    changing.filter(({ method }) => method === 'patch'),
  )
  holdLists(
    room,
    routes.filter(({ isList }) => isList === true),
  )
}

const holdAccess: Hold = (room, routes) => {
  describe(`every route of ${room}`, () => {
    test('is named here', async ({ expect }) => {
      const declared: string[] = []
      await buildTestApp({
        onRoute: ({ method, url, config }) => {
          const permission = config?.permission
          if (typeof permission === 'string' && permission.startsWith(`${room}.`)) declared.push(`${method} ${url}`)
        },
      })
      expect(declared.toSorted()).toEqual(routes.map((route) => routeName(route).replace(' ', ' /api/v1')).toSorted())
    })

    test('answers 401 without a session, with a spoilt and with an ended one, and changes nothing', async ({
      expect,
    }) => {
      const { t, place } = await setUp()
      const ended = await t.as('manager')
      await ended.delete('/session')
      // The first use of an ended session goes into the audit; from then on it writes nothing.
      await ended.get('/session')
      const nobody = [t.visitor(), t.withSession('spoilt'), ended]
      const answers = await askAll(t, routes, place, nobody)
      expect(answers.map(seenAs)).toEqual(
        routes.flatMap((route) => nobody.map(() => [routeName(route), 401, 'authentication_required'])),
      )
    })

    test('answers 403 to a role without its permission and changes nothing; to any other role it answers', async ({
      expect,
    }) => {
      const { t, place } = await setUp()
      for (const role of roles) {
        const client = await t.as(role)
        const allowed = (route: RouteUnderTest) => permissionsOf(role).has(route.permission)
        const refused = routes.filter((route) => !allowed(route))
        const answers = await askAll(t, refused, place, [client])
        expect(answers.map(seenAs)).toEqual(refused.map((route) => [routeName(route), 403, 'permission_denied']))
        for (const route of routes.filter(allowed)) {
          const { status } = await asker(route, place)(client, await seenVersion(client, route, place))
          const isRight = (answered: number) => isSuccess(answered) || (route.decidesOnce === true && answered === 409)
          expect([role, routeName(route), status]).toEqual([role, routeName(route), expect.toSatisfy(isRight)])
        }
      }
    })

    test('answers the same 404 for a record that is missing, malformed or of another tenant, and changes nothing', async ({
      expect,
    }) => {
      const { t, place, foreign } = await setUp()
      const administrator = await t.as('administrator')
      const elsewhere = [everywhere(place, newId()), everywhere(place, MISSING), everywhere(place, '%00'), foreign]
      const wrongParent = { ...place, evidenceId: foreign.evidenceId }
      for (const route of routes.filter(({ path }) => path.includes(':'))) {
        const places = route.path.includes(':evidenceId') ? [...elsewhere, wrongParent] : elsewhere
        const answers: Answer<Problem>[] = []
        const changes = await t.changes(async () => {
          for (const where of places) answers.push(await asker(route, where)(administrator, { 'if-match': '"1"' }))
        })
        expect([routeName(route), changes]).toEqual([routeName(route), {}])
        const [first] = answers
        expect(first).toMatchObject({ status: 404, body: { code: 'not_found' } })
        for (const { status, body } of answers) {
          expect([routeName(route), status, { ...body, requestId: '' }]).toEqual([
            routeName(route),
            404,
            { ...first?.body, requestId: '' },
          ])
        }
      }
    })
  })
}

const holdChanges: Hold = (room, changing) => {
  if (changing.length === 0) return
  describe(`every change of ${room}`, () => {
    test('answers 403 without the CSRF token, with that of another session and from a foreign origin, and changes nothing', async ({
      expect,
    }) => {
      const { t, place } = await setUp()
      const administrator = await t.as('administrator')
      const forged: Headers[] = [
        { 'x-csrf-token': undefined },
        { 'x-csrf-token': 'forged' },
        { 'x-csrf-token': '' },
        { origin: 'https://elsewhere.example' },
        { origin: 'null' },
      ]
      const answers = await askAll(t, changing, place, [administrator], forged)
      expect(answers.map(seenAs)).toEqual(
        changing.flatMap((route) => forged.map(() => [routeName(route), 403, 'csrf_token_invalid'])),
      )
    })

    test('refuses a body that is no JSON, not UTF-8, too deep, too large, of another type or no object, and changes nothing', async ({
      expect,
    }) => {
      const { t, place } = await setUp()
      const administrator = await t.as('administrator')
      const bodies: [body: unknown, status: number, headers?: Headers][] = [
        ['{"name":', 400],
        ['', 400, { 'content-type': 'application/json' }],
        [undefined, 400],
        ['null', 400],
        ['[]', 400],
        ['"text"', 400],
        ['{"__proto__":{}}', 400],
        [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400],
        [`{"name":${'['.repeat(40)}${']'.repeat(40)}}`, 400],
        [`{"name":"${'x'.repeat(300 * 1024)}"}`, 413],
        ['name=x', 415, { 'content-type': 'application/x-www-form-urlencoded' }],
        ['{}', 415, { 'content-type': 'text/plain' }],
        ['<a/>', 415, { 'content-type': 'application/xml' }],
      ]
      for (const route of changing) {
        const ask = asker(route, place)
        const seenBefore = await seenVersion(administrator, route, place)
        const statuses: number[] = []
        const changes = await t.changes(async () => {
          for (const [body, , headers] of bodies)
            statuses.push((await ask(administrator, { ...seenBefore, ...headers }, body)).status)
        })
        expect([routeName(route), statuses]).toEqual([routeName(route), bodies.map(([, status]) => status)])
        expect([routeName(route), changes]).toEqual([routeName(route), {}])
      }
    })

    test('names the property that it does not know and changes nothing', async ({ expect }) => {
      const { t, place } = await setUp()
      const administrator = await t.as('administrator')
      for (const route of changing) {
        const body = { ...route.body?.(place), surprise: 1 }
        const answers: Answer<Problem>[] = []
        const headers = await seenVersion(administrator, route, place)
        const changes = await t.changes(async () => {
          answers.push(await asker(route, place)(administrator, headers, body))
        })
        expect([routeName(route), changes, answers]).toMatchObject([
          routeName(route),
          {},
          [
            {
              status: 400,
              body: { code: 'invalid_request', errors: [{ path: 'surprise', code: 'unknown_property' }] },
              headers: { 'content-type': expect.stringContaining('application/problem+json') },
            },
          ],
        ])
      }
    })
  })
}
