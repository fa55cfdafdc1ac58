import { createClient, expectRefusal, expectStatus, expectThat, find, listAt, textAt } from './acceptance-client.ts'
import type { Gate, World } from './gates.ts'

/** Words in routes that would contact people; no route may contain one. */
const outreachWords = /send|deliver|campaign|follow-?up|smtp|vrfy|outreach|mailing|unsubscribe/i

export const access: Gate = {
  id: 'access',
  title: 'Authentication and roles',
  phase: null,
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
}

export const globalRules: Gate = {
  id: 'global_rules',
  title: 'Nobody is contacted',
  phase: null,
  checks: [
    {
      name: 'no route sends, delivers or follows up',
      run: async (world) => {
        const paths = pathsOf(world).map(([path]) => path)
        const found = paths.filter((path) => outreachWords.test(path))
        expectThat(found.length === 0, `Outreach routes exist: ${found.join(', ')}.`)
        return `None of ${paths.length} paths of the API does.`
      },
    },
    {
      name: 'the start is refused with automated outreach enabled',
      run: async (world) => {
        const { exitCode, stderr } = await world.cli(['user', 'count'], { AUTOMATED_OUTREACH_ENABLED: 'true' })
        expectThat(exitCode !== 0, 'A command ran with AUTOMATED_OUTREACH_ENABLED=true.')
        expectThat(stderr.includes('AUTOMATED_OUTREACH_ENABLED'), 'The refusal does not name the setting.')
        return 'A process with AUTOMATED_OUTREACH_ENABLED=true ended with a sentence.'
      },
    },
    {
      name: 'assistance by a provider is disabled',
      run: async (world) => {
        const { body } = expectStatus(await world.viewer.get('/capabilities'), 200, 'the capabilities')
        const phase13 = listAt(body, 'items').find((item) => find(item, 'phase') === 13)
        expectThat(textAt(phase13, 'status') === 'disabled', 'Phase 13 is not reported as disabled.')
        return 'Phase 13 is reported as disabled: no provider is configured.'
      },
    },
  ],
}

function pathsOf({ openApi }: World): [string, unknown][] {
  return Object.entries(find(openApi.body, 'paths') ?? {}).flatMap(([path, operations]) => {
    const get = find(operations, 'get')
    return get === undefined ? [] : [[path.replace('/api/v1', ''), get] satisfies [string, unknown]]
  })
}

/** True for an operation that declares no security. */
function isOpen(operation: unknown): boolean {
  const security = find(operation, 'security')
  return Array.isArray(security) && security.length === 0
}
