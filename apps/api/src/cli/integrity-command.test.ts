import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildTestApp } from '../../test/build-app.ts'
import { editBehind } from '../../test/integrity.ts'
import { createProspect } from '../../test/prospects.ts'
import { typeCommand } from '../../test/type-command.ts'
import type { World } from '../acceptance/gates.ts'
import { gates } from '../rooms/health/health.acceptance.ts'
import { migrations } from '../rooms/migrations.ts'
import { openConnection } from '../store/engine/connection.ts'
import { STORE_FILE } from '../store/store.ts'

/** Creates a running service with 22 blocked records, and a function that runs a command on its data folder. */
async function setUp() {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const ids: string[] = []
  for (let n = 0; n < 22; n++) {
    const { id } = await createProspect(operator, { name: `Prospect ${n}` })
    await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
    ids.push(id)
  }
  const { dataDir } = t.store
  const cli = (...args: string[]) => typeCommand(args, { DATA_DIR: dataDir })
  const unblock = () => editBehind(dataDir, 'UPDATE businesses SET do_not_contact = 0')
  return { t, ids, dataDir, cli, unblock, home: t.tenants.home.id, other: t.tenants.other.id }
}

test('22 blocked records unblocked by SQL exit with 1 beside a running API, although audit verify passes', async () => {
  const { cli, unblock, ids, home, other } = await setUp()
  expect(await cli('integrity', 'check')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining(`${home}\tHome\tagrees (22 records`),
  })
  expect(unblock()).toBe(22)
  expect((await cli('audit', 'verify')).exitCode).toBe(0)
  const { exitCode, stdout } = await cli('integrity', 'check')
  expect(exitCode).toBe(1)
  expect(stdout).toContain(`${home}\tHome\tdisagrees: Record ${ids[0]} is not blocked by hand, but event `)
  expect(stdout).toContain('(22 disagreements, 22 records')
  expect(stdout).toContain(`${other}\tOther\tagrees (0 records)`)
  const one = await cli('integrity', 'check', '--tenant', other)
  expect(one).toMatchObject({ exitCode: 0, stdout: `${other}\tOther\tagrees (0 records)\n` })
  expect((await cli('integrity', 'check', '--tenant', 'nobody')).exitCode).toBe(2)
})

test('the acceptance fails with the first disagreement', async () => {
  const { cli, unblock, ids } = await setUp()
  const check = gates.flatMap(({ checks }) => checks).find(({ name }) => name.startsWith('records agree'))
  const world = { cli: (args: string[]) => cli(...args) } as unknown as World
  expect(await check?.run(world)).toBe('integrity check exited with 0.')
  unblock()
  await expect(check?.run(world)).rejects.toThrow(`disagrees: Record ${ids[0]} is not blocked by hand`)
})

test('a store with another schema is not read', async () => {
  const { cli, dataDir, t } = await setUp()
  await t.store.close()
  const connection = openConnection(join(dataDir, STORE_FILE))
  const version = migrations.length
  connection.exec('DELETE FROM schema_steps WHERE name = (SELECT max(name) FROM schema_steps)')
  expect(await cli('integrity', 'check')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringMatching(
      new RegExp(`^The store has schema version ${version - 1}, and this program reads version ${version}`),
    ),
  })
  connection.close()
})
