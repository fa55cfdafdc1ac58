import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RouteOptions } from 'fastify'
import { expect, test } from 'vitest'
import type { ZodType } from 'zod'
import type { Permission } from '../src/lib/declared.ts'
import { permissions, roomFacts } from '../src/rooms/facts.ts'
import { allPermissions, permissionsOf, roles } from '../src/rooms/identity/permissions.ts'
import { buildTestApp, type TestClient } from './build-app.ts'
import { operations } from './operations.ts'
import { createProspect, type Problem } from './prospects.ts'

type Declared = {
  name: string
  url: string
  method: string
  permission: Permission | null | undefined
  open: boolean
  during: readonly string[]
  operationId: string
  stepUp: true | 'some_bodies' | undefined
}

let declared: Promise<Declared[]> | undefined

function allRoutes(): Promise<Declared[]> {
  declared ??= askApp()
  return declared
}

async function askApp(): Promise<Declared[]> {
  const routes: Declared[] = []
  const onRoute = ({ method, url, config, schema }: RouteOptions) => {
    for (const one of [method].flat()) {
      routes.push({
        name: `${one} ${url}`,
        url,
        method: one,
        permission: config?.permission,
        open: config?.open === true,
        during: config?.during ?? [],
        operationId: schema?.operationId ?? '',
        stepUp: config?.stepUp,
      })
    }
  }
  await buildTestApp({ onRoute })
  return routes
}

test('every route names its permission, declares that a session is enough, or is open', async () => {
  const routes = await allRoutes()
  expect(routes.length).toBeGreaterThan(100)
  for (const { name, permission, open } of routes) {
    expect(open ? permission === undefined : permission !== undefined, name).toBe(true)
  }
})

test('only health, sign-in and one-time links are open', async () => {
  const open = (await allRoutes()).filter((route) => route.open)
  expect(open.map(({ name }) => name).sort()).toEqual([
    'GET /api/v1/health/live',
    'GET /api/v1/health/ready',
    'GET /api/v1/session/company',
    'POST /api/v1/one-time-links/check',
    'POST /api/v1/one-time-links/use',
    'POST /api/v1/session',
    'POST /api/v1/session/company',
    'POST /api/v1/session/company/request',
    'POST /api/v1/session/passkey',
    'POST /api/v1/session/passkey/options',
  ])
})

test('a session on hold reaches the routes that lift its hold, and no others', async () => {
  const routes = await allRoutes()
  const reached = (hold: string) =>
    routes
      .filter(({ during }) => during.includes(hold))
      .map(({ name }) => name.replace('/api/v1', ''))
      .sort()
  const always = ['DELETE /session', 'GET /roles', 'GET /session']
  expect(reached('second_factor')).toEqual([...always, 'POST /session/mfa', 'POST /session/passkey-options'].sort())
  expect(reached('password_change')).toEqual([...always, 'POST /password'].sort())
  expect(reached('enrolment')).toEqual(
    [
      ...always,
      'GET /mfa',
      'POST /mfa/enrolment',
      'POST /mfa/enrolment/confirmation',
      'POST /mfa/passkeys',
      'POST /mfa/passkeys/options',
      'POST /session/mfa',
    ].sort(),
  )
})

/** Last segments of paths that decide, enable or lift something. */
const deciding = /(^|-)(approvals?|decision|enablement|activation|removal|resets?)$/

/** True for a change that configures or decides something for other people: the kind of route that must say whether it requires a fresh proof. */
function isDecision({ method, url, permission }: Declared): boolean {
  if (method === 'GET' || permission == null) return false
  const { role } = permissions[permission]
  return role === 'manager' || role === 'administrator' || deciding.test(url.split('/').at(-1) ?? '')
}

/** Returns the operations that the two tables of "Fresh proofs" in docs/security.md name: with and without a fresh proof. */
function documentedProofs(): { withProof: string[]; without: string[] } {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/security.md'), 'utf8')
  const section = page.split('\n## Fresh proofs\n')[1]?.split('\n## ')[0] ?? ''
  const [withProof = [], without = []] = section
    .split(/^\| operations with/m)
    .slice(1)
    .map((table) => table.split('\n').filter((line) => line.startsWith('| `')))
    .map((rows) => rows.flatMap((row) => operationsIn(row.split(' | ')[0] ?? '')))
  return { withProof, without }
}

function operationsIn(cell: string): string[] {
  return [...cell.matchAll(/`(\w+)`/g)].flatMap(([, name = '']) => (name === 'activate' ? [] : [name]))
}

test('every change that decides or configures requires a fresh proof, or the security page says why not', async () => {
  const routes = await allRoutes()
  const { withProof, without } = documentedProofs()
  const namesOf = (some: Declared[]) => some.map(({ operationId }) => operationId).sort()
  expect(withProof.toSorted()).toEqual(namesOf(routes.filter(({ stepUp }) => stepUp !== undefined)))
  expect(without.toSorted()).toEqual(namesOf(routes.filter((route) => isDecision(route) && route.stepUp === undefined)))
})

test('every change of accounts, factors, sessions or the workspace requires a fresh proof, as do exports and lifted blocks', async () => {
  const dangerous = (await allRoutes()).filter(
    ({ method, url, permission }) =>
      url.endsWith('/content') ||
      (method !== 'GET' &&
        (/^(users\.manage|tenant\.configure|pipeline\.configure|exports\.create|suppression\.remove|erasure\.erase)$/.test(
          permission ?? '',
        ) ||
          /\/(mfa|sessions|tokens)(\/|$)/.test(url))),
  )
  expect(dangerous.length).toBeGreaterThan(18)
  // The routes without step-up are the one that proves an identity, and the one that revokes a token, because a stop must not wait for a proof.
  expect(dangerous.filter(({ stepUp }) => stepUp !== true).map(({ name }) => name)).toEqual([
    'POST /api/v1/session/mfa',
    'DELETE /api/v1/tokens/:tokenId',
  ])
})

test('a stale proof is refused by every route that always requires a fresh one, and changes nothing', async () => {
  const proven = (await allRoutes()).filter(({ stepUp }) => stepUp === true)
  const t = await buildTestApp()
  const administrator = await t.as('administrator')
  t.clock.advance(16 * 60_000)
  // The first request after a while writes when the session was last used.
  await administrator.get('/session')
  const changes = await t.changes(async () => {
    expect(await ask(administrator, proven)).toEqual(proven.map(({ name }) => [name, 403, 'step_up_required']))
  })
  expect(changes).toEqual({})
})

test('every permission that a route names is in the table of roles', async () => {
  const named = (await allRoutes()).map(({ permission }) => permission).filter((permission) => permission != null)
  expect(named.filter((permission) => !allPermissions.has(permission))).toEqual([])
})

test('every route except health refuses an unknown parameter', async () => {
  const unchecked: string[] = []
  await buildTestApp({
    onRoute: ({ method, url, schema }) => {
      const query = schema?.querystring as ZodType | undefined
      if (query?.safeParse({ surprise: '1' }).success !== false)
        unchecked.push(`${method} ${url.replace('/api/v1', '')}`)
    },
  })
  expect(unchecked.sort()).toEqual(['GET /health/live', 'GET /health/ready'])
})

test('an unknown parameter is reported by its name, also on a route without parameters', async () => {
  const t = await buildTestApp()
  const administrator = await t.as('administrator')
  const { id } = await createProspect(administrator)
  for (const path of [`/businesses/${id}`, '/session', '/tenant', '/businesses']) {
    expect(await administrator.get<Problem>(`${path}?surprise=1`), path).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'surprise', code: 'unknown_property' }] },
    })
  }
})

test('being signed in is enough for these routes only', async () => {
  const routes = (await allRoutes()).filter(
    ({ open, method, permission }) => !open && method !== 'HEAD' && permission === null,
  )
  expect(routes.map(({ name }) => name.replace('/api/v1', '')).sort()).toEqual([
    'DELETE /company-identities/:id',
    'DELETE /mfa/passkeys/:id',
    'DELETE /mfa/totp',
    'DELETE /saved-filters/:savedFilterId',
    'DELETE /session',
    'DELETE /sessions',
    'DELETE /sessions/:id',
    'DELETE /tokens/:tokenId',
    'GET /assignees',
    'GET /audit-actions',
    'GET /background-work',
    'GET /capabilities',
    'GET /changes',
    'GET /changes/stream',
    'GET /company-identities',
    'GET /contact-hours',
    'GET /dashboard/arrangement',
    'GET /docs',
    'GET /docs/*',
    'GET /limits',
    'GET /mfa',
    'GET /openapi.json',
    'GET /phone-countries',
    'GET /retention',
    'GET /roles',
    'GET /saved-filters',
    'GET /saved-filters/:savedFilterId',
    'GET /saved-filters/defaults',
    'GET /session',
    'GET /sessions',
    'GET /tenant',
    'GET /token-permissions',
    'GET /tokens',
    'PATCH /saved-filters/:savedFilterId',
    'POST /company-identities',
    'POST /company-identities/request',
    'POST /mfa/enrolment',
    'POST /mfa/enrolment/confirmation',
    'POST /mfa/passkeys',
    'POST /mfa/passkeys/options',
    'POST /mfa/recovery-codes',
    'POST /password',
    'POST /saved-filters',
    'POST /session/mfa',
    'POST /session/passkey-options',
    'POST /session/tenant',
    'POST /tokens',
    'PUT /dashboard/arrangement',
    'PUT /saved-filters/defaults',
  ])
})

test('every other operation requires a permission of its own room, with these exceptions', () => {
  const foreign = operations.filter(({ room, permission }) => {
    const own = roomFacts.find((facts) => facts.room === room)?.permissions ?? {}
    return permission !== null && !(permission in own)
  })
  expect(foreign.map(({ id, permission }) => `${id}: ${permission}`).sort()).toEqual([
    // The list of prospects, and the queue and the bulk actions that read it, are above the rooms whose permission they require.
    'addPageEvidence: evidence.write',
    'blockBusiness: businesses.block',
    'claimNextReview: review.decide',
    'findRemovedFilterValues: businesses.read',
    'getAcceptanceReport: tenant.configure',
    'getBrief: businesses.read',
    'getBulkReview: review.read',
    'getDeployment: tenant.configure',
    // Everybody who sees prospects sees whether they were compared with the registry.
    'getRegistryCheck: businesses.read',
    'getRegistryState: businesses.read',
    'liftBlock: suppression.remove',
    'listBulkOutcomes: review.read',
    'listBulkReviews: review.read',
    'listBusinesses: businesses.read',
    // The room of duplicates shows the people of a pair.
    'listPeopleOnBoth: people.read',
    'listReviewQueue: review.read',
    'listSecurityEvents: users.manage',
    'openReview: review.decide',
  ])
})

test('no change requires a permission to read', () => {
  const reading = operations.filter(
    ({ method, permission, case: { asksOnly } }) =>
      method !== 'get' && asksOnly !== true && permission?.endsWith('.read') === true,
  )
  expect(reading.map(({ id }) => id)).toEqual([])
})

/** Calls each route as this client, with an identifier that names no record. */
async function ask(client: TestClient, routes: readonly Declared[]) {
  const asks = new Map([
    ['GET', client.get],
    ['HEAD', client.get],
    ['POST', client.post],
    ['PUT', client.put],
    ['PATCH', client.patch],
    ['DELETE', client.delete],
  ])
  const answers: [name: string, status: number | undefined, code: string | undefined][] = []
  for (const { name, url, method } of routes) {
    const path = url.replace('/api/v1', '').replaceAll(/:\w+/g, 'anything').replace('*', '')
    const answer = await asks.get(method)?.<Problem>(path)
    answers.push([name, answer?.status, answer?.body.code])
  }
  return answers
}

test('every closed route refuses a request without a session, and changes nothing', async () => {
  const closed = (await allRoutes()).filter(({ open }) => !open)
  const t = await buildTestApp()
  const changes = await t.changes(async () => {
    expect(await ask(t.visitor(), closed)).toEqual(closed.map(({ name }) => [name, 401, 'authentication_required']))
  })
  expect(changes).toEqual({})
})

test('every route answers 403 to a role without its permission, and changes nothing', async () => {
  const routes = await allRoutes()
  const t = await buildTestApp()
  for (const role of roles) {
    const client = await t.as(role)
    const refused = routes.filter(({ permission }) => permission != null && !permissionsOf(role).has(permission))
    const changes = await t.changes(async () => {
      expect(await ask(client, refused)).toEqual(refused.map(({ name }) => [name, 403, 'permission_denied']))
    })
    expect([role, changes]).toEqual([role, {}])
  }
})
