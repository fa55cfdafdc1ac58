import { expect, test, vi } from 'vitest'
import { buildTestApp, type TestApp } from '../../../../test/build-app.ts'
import { codeOf, enrolApp, HOME_OPERATOR, type Person, personAt } from '../../../../test/person.ts'
import type { ListPage } from '../../../../test/prospects.ts'
import { createAuthenticator } from '../../../../test/software-authenticator.ts'
import { askedOf, findPlans, watchStatements } from '../../../../test/statement-plans.ts'
import { keyPruning } from '../../../store/change/idempotency-pruning.ts'
import { runUpkeep } from '../../run-upkeep.ts'

/*
 * Checks the query plan of every statement of this room. Every request begins with these statements, and sessions, spent tokens and idempotency keys
 * grow with use and not with the number of prospects.
 */

const CHOSEN = 'thirteen quiet lanterns'

/** Reads the first and second page of a list. */
async function page(person: Person, path: string): Promise<void> {
  const { body } = await person.get<ListPage<unknown>>(`${path}?limit=1`)
  await person.get(`${path}?limit=1&cursor=${body.page.nextCursor}`)
}

async function liveADay(t: TestApp): Promise<void> {
  const { id } = t.tenants.home.users.operator
  const [administrator, operator, phone] = [personAt(t), personAt(t), personAt(t)]
  await administrator.signIn('administrator@home.example')
  await operator.signIn(HOME_OPERATOR, 'not it at all')
  await operator.signIn(HOME_OPERATOR)
  await phone.signIn(HOME_OPERATOR)
  await page(operator, '/sessions')
  await operator.delete('/sessions')
  await phone.get('/session')
  const { secret, recoveryCodes } = await enrolApp(t, operator)
  const authenticator = createAuthenticator()
  const options = (await operator.post('/mfa/passkeys/options', {})).body
  await operator.post('/mfa/passkeys', { name: 'Laptop', passkey: authenticator.create(options) })
  await operator.post('/session/mfa', { code: codeOf(t, secret) })
  await operator.post('/session/mfa', { recoveryCode: recoveryCodes[0] })
  const asked = (await phone.post('/session/passkey/options', {})).body
  await phone.post('/session/passkey', { passkey: authenticator.get(asked) })
  await operator.post('/businesses', { name: 'Karoo' }, { 'idempotency-key': 'once' })
  await page(administrator, '/users')
  await page(administrator, '/security-events')
  for (const email of ['a@home.example', 'b@home.example'])
    await administrator.post('/users', { email, name: 'A guest', role: 'viewer' })
  await page(administrator, '/invitations')
  const { body } = await administrator.post<{ link: { token: string } }>(`/users/${id}/password-reset`, {})
  await phone.post('/one-time-links/check', body.link)
  await phone.post('/one-time-links/use', { token: body.link.token, password: CHOSEN })
  await administrator.post(`/users/${id}/second-factor-reset`, {})
  await administrator.delete(`/users/${id}`)
  await page(administrator, '/assignees')
  t.clock.advance(8 * 86_400_000)
  await runUpkeep({ store: t.store }, [keyPruning])
  await administrator.signIn('administrator@home.example')
}

/** Accepted plans that read all members or open links of a tenant. Both are few, however large the tenant grows. */
const few = /^SEARCH (m|l|one_time_links) USING PRIMARY KEY \(tenant_id=\?\)$/

test('no statement about accounts, sessions, links or idempotency keys scans more than the people of a tenant', async () => {
  const statements = watchStatements()
  const t = await buildTestApp()
  await liveADay(t)
  vi.restoreAllMocks()
  const asked = askedOf(statements)
  expect(asked.length).toBeGreaterThan(70)
  const { walking } = findPlans(t.store, asked)
  expect(walking.filter(({ plan }) => !few.test(plan[0] ?? ''))).toEqual([])
})
