import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { buildTestApp, TEST_PASSWORD, type TestApp } from '../../../../test/build-app.ts'
import { writerOf } from '../../../../test/writer-of.ts'
import { addMembership, createTenant, createUser, findUserId } from '../accounts/tenants-and-users.ts'
import { getTenant, isMember } from '../identity.queries.ts'
import type { NewTenant } from '../identity.schema.ts'

const PASSWORD = 'four small words here'

function eventsOf(t: TestApp, tenantId: string) {
  return t.store.reader
    .selectFrom('audit_events')
    .select(['action', 'actor', 'subject_type', 'subject_id', 'after_json'])
    .where('tenant_id', '=', tenantId)
    .orderBy('sequence')
    .execute()
}

describe('a new tenant', () => {
  test('has the next number, and an audit chain that begins with it', async () => {
    const t = await buildTestApp()
    const input = { name: 'Third', timeZone: 'Europe/Berlin' }
    let id = ''
    const changes = await t.changes(async () => {
      id = await createTenant(t.store, 'command line', input)
    })
    // The inserted rows include the built-in sources of the new tenant.
    expect(changes).toEqual({ audit_events: 1, tenants: 1, sources: 2, source_versions: 2 })
    const numbers = await t.store.reader.selectFrom('tenants').select('number').orderBy('number').execute()
    expect(numbers.map(({ number }) => number)).toEqual([1, 2, 3])
    expect(await eventsOf(t, id)).toEqual([
      {
        action: 'tenant.create',
        actor: 'command line',
        subject_type: 'tenant',
        subject_id: id,
        after_json: JSON.stringify({ ...input, country: 'ZA', locale: 'en-ZA' }),
      },
    ])
  })

  test('has the given country, or South Africa by default', async () => {
    const t = await buildTestApp()
    const countryOf = async (country: string | undefined) => {
      const id = await createTenant(t.store, 'command line', {
        name: 'Third',
        timeZone: 'UTC',
        ...(country === undefined ? {} : { country }),
      })
      return (await getTenant(t.store.reader, id)).country
    }
    expect([await countryOf(undefined), await countryOf('US')]).toEqual(['ZA', 'US'])
    await expect(countryOf('UK')).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('has the given locale, or that of its country, or that of South Africa', async () => {
    const t = await buildTestApp()
    const localeOf = async (more: Partial<NewTenant>) => {
      const id = await createTenant(t.store, 'command line', { name: 'Third', timeZone: 'UTC', ...more })
      return (await getTenant(t.store.reader, id)).locale
    }
    expect(await localeOf({})).toBe('en-ZA')
    expect(await localeOf({ country: 'US' })).toBe('en-US')
    expect(await localeOf({ country: 'BR' })).toBe('en-ZA')
    expect(await localeOf({ country: 'US', locale: 'en-GB' })).toBe('en-GB')
  })

  test.each(['', 'Mars/Olympus', '+02:00', 'yes'])('is refused with the time zone "%s"', async (timeZone) => {
    const t = await buildTestApp()
    const changes = await t.changes(async () => {
      const creating = createTenant(t.store, 'command line', { name: 'Third', timeZone })
      await expect(creating).rejects.toMatchObject({ code: 'invalid_request' })
    })
    expect(changes).toEqual({})
  })
})

describe('a new user', () => {
  const input = { email: ' Thandi@Example.com ', name: 'Thandi Nkosi', role: 'operator', password: PASSWORD } as const

  test('belongs to the tenant, can sign in, and is audited without a secret', async () => {
    const t = await buildTestApp()
    const tenantId = t.tenants.home.id
    const changes = await t.changes(() => createUser(t.store, 'command line', { ...input, tenantId }))
    expect(changes).toEqual({ audit_events: 1, memberships: 1, users: 1 })
    const last = (await eventsOf(t, tenantId)).at(-1)
    expect(last).toMatchObject({ action: 'user.create', actor: 'command line', subject_type: 'user' })
    expect(last?.after_json).toBe('{"role":"operator"}')
    const credentials = { email: 'thandi@example.com', password: PASSWORD }
    expect((await t.visitor().post('/session', credentials)).status).toBe(201)
  })

  test.each([
    ['no e-mail address', { email: 'thandi' }, 'email'],
    ['an empty name', { name: ' ' }, 'name'],
    ['a short password', { password: 'short' }, 'password'],
    ['the address as password', { password: 'thandi@example.com' }, 'password'],
  ])('is refused with %s', async (_what, wrong, path) => {
    const t = await buildTestApp()
    const changes = await t.changes(async () => {
      const creating = createUser(t.store, 'command line', { ...input, tenantId: t.tenants.home.id, ...wrong })
      await expect(creating).rejects.toMatchObject({ code: 'invalid_request', details: { errors: [{ path }] } })
    })
    expect(changes).toEqual({})
  })

  test('is refused when the email address is taken, in any case, and in a missing tenant', async () => {
    const t = await buildTestApp()
    const changes = await t.changes(async () => {
      const taken = { ...input, email: 'OPERATOR@home.example', tenantId: t.tenants.other.id }
      await expect(createUser(t.store, 'command line', taken)).rejects.toMatchObject({ code: 'conflict' })
      const nowhere = createUser(t.store, 'command line', { ...input, tenantId: 'nowhere' })
      await expect(nowhere).rejects.toMatchObject({ code: 'not_found' })
    })
    expect(changes).toEqual({})
  })
})

describe('a further membership', () => {
  test('adds a user to another tenant, audited there, with their existing password', async () => {
    const t = await buildTestApp()
    const { home, other } = t.tenants
    const userId = (await findUserId(t.store, 'Operator@home.example')) ?? ''
    const changes = await t.changes(() =>
      addMembership(t.store, 'command line', { tenantId: other.id, userId, role: 'manager' }),
    )
    expect(changes).toEqual({ audit_events: 1, memberships: 1 })
    expect((await eventsOf(t, other.id)).at(-1)).toMatchObject({ action: 'membership.create', subject_id: userId })
    const { body } = await t.visitor().post('/session', { email: home.users.operator.email, password: TEST_PASSWORD })
    expect(body).toMatchObject({ tenants: [{ name: 'Home' }, { name: 'Other', role: 'manager' }] })
  })

  test('is refused a second time', async () => {
    const t = await buildTestApp()
    const { home } = t.tenants
    const again = { tenantId: home.id, userId: home.users.viewer.id, role: 'administrator' } as const
    const changes = await t.changes(async () => {
      await expect(addMembership(t.store, 'command line', again)).rejects.toMatchObject({ code: 'conflict' })
    })
    expect(changes).toEqual({})
  })
})

test('work is assigned only to active members of the tenant', async () => {
  const t = await buildTestApp()
  const { home, other } = t.tenants
  const { reader } = t.store
  expect(await isMember(reader, home.id, home.users.viewer.id)).toBe(true)
  expect(await isMember(reader, home.id, other.users.viewer.id)).toBe(false)
  expect(await isMember(reader, home.id, 'nobody')).toBe(false)
  await (await writerOf(t.store))
    .updateTable('users')
    .set({ status: 'disabled' })
    .where('id', '=', home.users.viewer.id)
    .execute()
  await nextTurn()
  expect(await isMember(reader, home.id, home.users.viewer.id)).toBe(false)
})

test('a disabled member cannot be added again from the command line, nor with another role', async () => {
  const t = await buildTestApp()
  const administrator = await t.as('administrator')
  const { id: userId } = t.tenants.home.users.viewer
  const { body: user } = await administrator.get<{ version: number }>(`/users/${userId}`)
  const disabled = await administrator.patch(
    `/users/${userId}`,
    { status: 'disabled' },
    { 'if-match': `"${user.version}"` },
  )
  expect(disabled.status).toBe(200)
  const tenantId = t.tenants.home.id
  const adding = addMembership(t.store, 'command line', { tenantId, userId, role: 'administrator' })
  await expect(adding).rejects.toMatchObject({ code: 'conflict' })
  expect(await isMember(t.store.reader, tenantId, userId)).toBe(false)
})
