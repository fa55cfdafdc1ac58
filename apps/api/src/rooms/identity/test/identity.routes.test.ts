import { describe, expect, test } from 'vitest'
import { buildTestApp, type TestApp, type TestClient } from '../../../../test/build-app.ts'
import { writerOf } from '../../../../test/writer-of.ts'
import type { Page } from '../../../http/pagination.ts'
import { newId } from '../../../lib/ids.ts'
import type { RoleMatrix } from '../identity.schema.ts'
import { allPermissions, permissionsOf, roles } from '../permissions.ts'

type Person = { id: string; name: string }

async function addMembers(t: TestApp, names: string[]): Promise<void> {
  for (const name of names) {
    const id = newId()
    const at = t.clock().toISOString()
    const user = {
      id,
      email: `${id}@home.example`,
      name,
      password_hash: 'x',
      status: 'active',
      created_at: at,
    } as const
    await (await writerOf(t.store)).insertInto('users').values(user).execute()
    await (await writerOf(t.store))
      .insertInto('memberships')
      .values({ tenant_id: t.tenants.home.id, user_id: id, role: 'viewer', created_at: at })
      .execute()
  }
}

async function walk(client: TestClient, limit: number): Promise<Person[]> {
  const people: Person[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body }: { body: Page<Person> } = await client.get(
      `/assignees?limit=${limit}${cursor && `&cursor=${cursor}`}`,
    )
    people.push(...body.items)
    cursor = body.page.nextCursor
  }
  return people
}

describe('GET /roles', () => {
  test('shows the table of roles to any signed-in person', async () => {
    const t = await buildTestApp()
    const { status, body } = await (await t.as('viewer')).get<RoleMatrix>('/roles')
    expect(status).toBe(200)
    expect(body.roles.map(({ role, permissions }) => ({ role, permissions }))).toEqual(
      roles.map((role) => ({ role, permissions: [...permissionsOf(role)].sort() })),
    )
    expect((await t.visitor().get('/roles')).status).toBe(401)
  })

  test('shows the label of every role and permission', async () => {
    const t = await buildTestApp()
    const { body } = await (await t.as('viewer')).get<RoleMatrix>('/roles')
    expect(body.roles.find(({ role }) => role === 'viewer')).toMatchObject({
      label: 'Viewer',
      description: 'Reads, and changes nothing.',
    })
    expect(body.permissions).toContainEqual({ permission: 'notes.write', label: 'Write notes' })
    expect(new Set(body.permissions.map(({ permission }) => permission))).toEqual(allPermissions)
    expect(new Set(body.permissions.map(({ label }) => label)).size).toBe(allPermissions.size)
  })
})

describe('GET /assignees', () => {
  test('returns the members of the own tenant only, with their number', async () => {
    const t = await buildTestApp()
    const { users } = t.tenants.home
    const { status, body } = await (await t.as('viewer')).get('/assignees')
    expect(status).toBe(200)
    expect(body).toEqual({
      items: roles.map((role) => ({ id: users[role].id, name: users[role].name })),
      page: {
        limit: 50,
        returned: 4,
        nextCursor: null,
        total: { value: 4, counts: 'matching_set', asOf: '2026-11-21T08:00:00.000Z' },
      },
    })
  })

  test('omits disabled members', async () => {
    const t = await buildTestApp()
    const { id } = t.tenants.home.users.manager
    await (await writerOf(t.store)).updateTable('users').set({ status: 'disabled' }).where('id', '=', id).execute()
    const { body } = await (await t.as('viewer')).get<Page<Person>>('/assignees')
    expect(body.items.map((person) => person.id)).not.toContain(id)
    expect(body.page.total?.value).toBe(3)
  })

  test.each([1, 2, 3, 200])(
    'pages of %i list everybody once, by name without case, also with equal names',
    async (limit) => {
      const t = await buildTestApp()
      await addMembers(t, ['zola', 'Anele', 'anele', 'Anele', 'ANELE', 'Émile'])
      const people = await walk(await t.as('viewer'), limit)
      expect(new Set(people.map(({ id }) => id)).size).toBe(10)
      expect(people.map(({ name }) => name.toLowerCase())).toEqual([
        ...Array(4).fill('anele'),
        ...roles.map((role) => `home ${role}`),
        'zola',
        'émile',
      ])
    },
  )

  test('refuses a cursor of another tenant, an altered one, and limits out of bounds', async () => {
    const t = await buildTestApp()
    const { body } = await (await t.as('viewer')).get<Page<Person>>('/assignees?limit=1')
    const { nextCursor } = body.page
    const foreign = await (await t.as('viewer', 'other')).get(`/assignees?limit=1&cursor=${nextCursor}`)
    expect(foreign).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ path: 'cursor' }] } })
    const viewer = await t.as('viewer')
    for (const query of [
      `cursor=x${nextCursor}`,
      'cursor=',
      'cursor=a.b',
      'limit=0',
      'limit=201',
      'limit=x',
      'page=2',
    ]) {
      expect((await viewer.get(`/assignees?${query}`)).status, query).toBe(400)
    }
  })
})
