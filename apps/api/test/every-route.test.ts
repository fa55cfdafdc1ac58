import type { RouteOptions } from 'fastify'
import { expect, test } from 'vitest'
import { allPermissions } from '../src/rooms/identity/identity.ts'
import { buildTestApp } from './build-app.ts'

type Declared = {
  name: string
  url: string
  method: string
  permission: string | null | undefined
  open: boolean
  during: readonly string[]
  stepUp: boolean
}

async function allRoutes(): Promise<Declared[]> {
  const routes: Declared[] = []
  const onRoute = ({ method, url, config }: RouteOptions) => {
    for (const one of [method].flat()) {
      routes.push({
        name: `${one} ${url}`,
        url,
        method: one,
        permission: config?.permission,
        open: config?.open === true,
        during: config?.during ?? [],
        stepUp: config?.stepUp === true,
      })
    }
  }
  await buildTestApp({ onRoute })
  return routes
}

test('every route names its permission, says that a session is enough, or is open', async () => {
  const declared = await allRoutes()
  expect(declared.length).toBeGreaterThan(20)
  for (const { name, permission, open } of declared) {
    expect(open ? permission === undefined : permission !== undefined, name).toBe(true)
  }
})

test('only health, sign-in and one-time links are open', async () => {
  const open = (await allRoutes()).filter((route) => route.open)
  expect(open.map(({ name }) => name).sort()).toEqual([
    'GET /api/v1/health/live',
    'GET /api/v1/health/ready',
    'POST /api/v1/one-time-links/check',
    'POST /api/v1/one-time-links/use',
    'POST /api/v1/session',
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

test('whatever changes accounts, factors, sessions or the tenant asks for a fresh proof', async () => {
  const dangerous = (await allRoutes()).filter(
    ({ method, url, permission }) =>
      method !== 'GET' &&
      (permission === 'users.manage' || permission === 'tenant.configure' || /\/(mfa|sessions)(\/|$)/.test(url)),
  )
  expect(dangerous.length).toBeGreaterThan(12)
  // To show the proof itself asks for none.
  expect(dangerous.filter(({ stepUp }) => !stepUp).map(({ name }) => name)).toEqual(['POST /api/v1/session/mfa'])
})

test('whatever lifts a suppression or a block asks for a fresh proof', async () => {
  const lifting = (await allRoutes()).filter(({ permission }) => permission === 'suppression.remove')
  expect(lifting.map(({ name, stepUp }) => [name.replace('/api/v1', ''), stepUp]).sort()).toEqual([
    ['POST /businesses/:businessId/do-not-contact-removal', true],
    ['POST /suppressions/:suppressionId/removal', true],
  ])
})

test('every permission that a route names is in the table of roles', async () => {
  const named = (await allRoutes()).map(({ permission }) => permission).filter((permission) => permission != null)
  expect(named.filter((permission) => !allPermissions.has(permission))).toEqual([])
})

test('every closed route answers nobody without a session, and changes nothing', async () => {
  const closed = (await allRoutes()).filter(({ open }) => !open)
  const t = await buildTestApp()
  const visitor = t.visitor()
  const asks = new Map([
    ['GET', visitor.get],
    ['HEAD', visitor.get],
    ['POST', visitor.post],
    ['PATCH', visitor.patch],
    ['DELETE', visitor.delete],
  ])
  const changes = await t.changes(async () => {
    for (const { name, url, method } of closed) {
      const path = url.replace('/api/v1', '').replaceAll(/:\w+/g, 'anything').replace('*', '')
      const answer = await asks.get(method)?.(path)
      expect([name, answer]).toMatchObject([name, { status: 401, body: { code: 'authentication_required' } }])
    }
  })
  expect(changes).toEqual({})
})
