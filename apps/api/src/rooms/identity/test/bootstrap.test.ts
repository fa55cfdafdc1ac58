import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../test/template-store.ts'
import { createTestClock } from '../../../../test/test-clock.ts'
import { openStore, type Store } from '../../../store/store.ts'
import { migrations } from '../../migrations.ts'
import { defaultPasswordCost, passwordVerifier } from '../passwords/passwords.ts'
import { bootstrapAdministrator } from '../people/bootstrap.ts'

const EMAIL = 'first@example.com'
const PASSWORD = 'four small words here'

function openTestStore(dataDir = temporaryFolder()): Store {
  const store = openStore({ migrations, dataDir, clock: createTestClock() })
  onTestFinished(() => store.close())
  return store
}

function events(store: Store) {
  return store.reader
    .selectFrom('audit_events')
    .select(['sequence', 'actor', 'action', 'after_json'])
    .orderBy('sequence')
    .execute()
}

describe('the first start', () => {
  test('creates one tenant and its administrator, audited as an act of the system', async () => {
    const store = openTestStore()
    expect(await bootstrapAdministrator(store, { email: ' First@Example.com', password: PASSWORD })).toBe(true)
    const [tenant] = await store.reader.selectFrom('tenants').select(['name', 'time_zone']).execute()
    expect(tenant).toEqual({ name: 'Main', time_zone: 'Africa/Johannesburg' })
    const user = await store.reader.selectFrom('users').selectAll().executeTakeFirstOrThrow()
    expect(user).toMatchObject({ email: EMAIL, status: 'active', must_change_password: 1 })
    expect(await passwordVerifier(defaultPasswordCost)(user.password_hash, PASSWORD)).toBe(true)
    const [member] = await store.reader.selectFrom('memberships').select('role').execute()
    expect(member?.role).toBe('administrator')
    expect(await events(store)).toMatchObject([
      { sequence: 1, actor: 'bootstrap', action: 'tenant.create' },
      { sequence: 2, actor: 'bootstrap', action: 'user.create' },
    ])
    expect(JSON.stringify(await events(store))).not.toContain(PASSWORD)
  })

  test.each([
    ['a weak password', EMAIL, 'short', 'BOOTSTRAP_ADMIN_PASSWORD'],
    ['the address as password', EMAIL, `${EMAIL} ${EMAIL}`, 'BOOTSTRAP_ADMIN_PASSWORD'],
    ['a malformed address', 'no address at all', PASSWORD, 'BOOTSTRAP_ADMIN_EMAIL'],
  ])('is refused with %s, with a sentence that contains neither value', async (_what, email, password, variable) => {
    const store = openTestStore()
    const starting = bootstrapAdministrator(store, { email, password })
    const error = await starting.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(Error)
    const sentence = error instanceof Error ? error.message : ''
    expect(sentence).toContain(variable)
    expect(sentence).not.toContain(email)
    expect(sentence).not.toContain(password)
    expect(await events(store)).toEqual([])
  })

  test('of two concurrent programs creates one administrator', async () => {
    const store = openTestStore()
    const sameStore = openTestStore(store.dataDir)
    const made = await Promise.all([
      bootstrapAdministrator(store, { email: EMAIL, password: PASSWORD }),
      bootstrapAdministrator(sameStore, { email: 'second@example.com', password: PASSWORD }),
    ])
    expect(made.filter((isFirst) => isFirst)).toHaveLength(1)
    expect(await events(store)).toHaveLength(2)
  })
})

describe('a later start', () => {
  test('changes no users or passwords, whatever the variables contain', async () => {
    const store = openTestStore()
    await bootstrapAdministrator(store, { email: EMAIL, password: PASSWORD })
    const before = await store.reader.selectFrom('users').selectAll().execute()
    for (const password of ['another four small words', 'weak']) {
      expect(await bootstrapAdministrator(store, { email: EMAIL, password })).toBe(false)
    }
    expect(await store.reader.selectFrom('users').selectAll().execute()).toEqual(before)
    expect(await events(store)).toHaveLength(2)
  })
})
