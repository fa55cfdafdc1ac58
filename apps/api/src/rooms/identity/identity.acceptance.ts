import { createClient, expectRefusal, expectStatus, find } from '../../acceptance/acceptance-client.ts'
import type { Gate, World } from '../../acceptance/gates.ts'

export const gates: readonly Gate[] = [
  {
    phase: null,
    id: 'access',
    title: 'Authentication and roles',
    checks: [
      {
        name: 'every route except the open ones requires a session',
        run: async (world) => {
          const closed = pathsOf(world).filter(([, operation]) => !isOpen(operation))
          for (const [path] of closed) {
            const answer = await world.visitor.get(path.replaceAll(/\{\w+\}/g, 'anything'))
            expectRefusal(answer, 401, 'authentication_required', `${path} without a session`)
          }
          return `${closed.length} paths were requested without a session, and all returned 401.`
        },
      },
      {
        name: 'a forged request, without the CSRF token, changes nothing',
        run: async (world) => {
          const answer = await world.operator.forge('POST', '/businesses', { name: 'Forged' })
          expectRefusal(answer, 403, 'csrf_token_invalid', 'a request without its token')
          return 'It was refused as csrf_token_invalid.'
        },
      },
      {
        name: 'a viewer cannot write, and an operator cannot manage people',
        run: async (world) => {
          const written = await world.viewer.post('/businesses', { name: 'Not allowed' })
          expectRefusal(written, 403, 'permission_denied', 'a write by a viewer')
          const people = await world.operator.get('/users')
          expectRefusal(people, 403, 'permission_denied', 'a list of people for an operator')
          return 'Both were refused as permission_denied.'
        },
      },
      {
        name: 'a wrong password and a signed-out session are refused',
        run: async (world) => {
          const client = createClient(world.webUrl)
          const wrong = await client.post('/session', {
            email: 'nobody@acceptance.invalid',
            password: 'not the password',
          })
          expectRefusal(wrong, 401, 'invalid_credentials', 'a wrong password')
          const session = await world.anotherSession()
          expectStatus(await session.get('/session'), 200, 'another session')
          expectStatus(await session.send('DELETE', '/session'), 204, 'signing out')
          expectStatus(await session.get('/businesses'), 401, 'a signed-out session')
          return 'Both returned 401.'
        },
      },
    ],
  },
]

function pathsOf({ openApi }: World): [string, unknown][] {
  return Object.entries(find(openApi.body, 'paths') ?? {}).flatMap(([path, operations]) => {
    const get = find(operations, 'get')
    return get === undefined ? [] : [[path.replace('/api/v1', ''), get] satisfies [string, unknown]]
  })
}

/** Returns true for an operation that requires no session, because it declares no security. */
function isOpen(operation: unknown): boolean {
  const security = find(operation, 'security')
  return Array.isArray(security) && security.length === 0
}
