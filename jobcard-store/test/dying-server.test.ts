import mysql, { type Connection } from 'mysql2/promise'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyUpgrade } from '../src/apply-upgrade.ts'
import { upgradeStatements } from '../src/statements.ts'
import { exitCodes } from '../src/store-error.ts'
import { startServer, type TestServer } from './servers.ts'
import { createStore, everythingIn, faultsOf, programsIn } from './store.ts'

/** A separate server, because the tests kill it. All of its tables are in one small file that cannot grow. */
let server: TestServer

beforeAll(async () => {
  server = await startServer(['--innodb-data-file-path=ibdata1:40M', '--innodb-file-per-table=0'])
}, 120_000)
afterAll(async () => {
  await server?.remove()
})

const statements = upgradeStatements()
const statementOf = (text: string) => statements.findIndex(({ sql }) => sql.includes(text))

test.for([
  ['before its first change', statementOf('SET @jobcard_go = (')],
  ['after the unique key', statementOf('CREATE TABLE IF NOT EXISTS app_settings')],
  ['between two tables', statementOf('CREATE TABLE IF NOT EXISTS attachments')],
  ['between two permissions', statementOf("'attachments.view'")],
] as const)(
  'a server that dies %s comes back with a store that works, and the next run makes it whole',
  async ([, count]) => {
    expect(count).toBeGreaterThan(0)
    const store = await createStore(server.socket)
    let ran = 0
    const dying = {
      query: async (sql: string) => {
        if (ran === count) await server.kill()
        ran += 1
        return await store.db.query(sql)
      },
    }
    await expect(applyUpgrade(dying)).rejects.toMatchObject({
      exitCode: exitCodes.interrupted,
      message: expect.stringMatching(
        /^The upgrade broke off at line \d+ of upgrade\.sql\. The connection to the server was lost/,
      ),
    })
    await server.start()
    const db = await reconnected(store.name)
    await db.query('INSERT INTO jobcards (id) VALUES (1)')
    await applyUpgrade(db)
    expect(await faultsOf(db)).toEqual([])
    expect(await programsIn(db)).toEqual({ routines: [], triggers: [], events: [] })
    db.destroy()
  },
)

async function reconnected(database: string): Promise<Connection> {
  return await mysql.createConnection({ socketPath: server.socket, user: 'root', database, charset: 'utf8mb4' })
}

test('when there is no room left the upgrade says so, what was there works, and with room again the next run makes it whole', async () => {
  const { db, name } = await createStore(server.socket)
  const before = await everythingIn(db)
  await db.query('CREATE TABLE ballast (id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY, filling LONGBLOB) ENGINE=InnoDB')
  const full = await fillUp(db)
  expect(full).toMatch(/full/)
  await expect(applyUpgrade(db)).rejects.toMatchObject({
    exitCode: exitCodes.interrupted,
    message: expect.stringMatching(/The server has no room left for the table|The disk of the server is full/),
  })
  const { users, clients, jobcards } = before
  expect(await everythingIn(db)).toMatchObject({ users, clients, jobcards })

  await server.kill()
  await server.start(['--innodb-data-file-path=ibdata1:40M;ibdata2:40M'])
  const roomy = await reconnected(name)
  await applyUpgrade(roomy)
  expect(await faultsOf(roomy)).toEqual([])
  roomy.destroy()
})

/** Inserts rows until none fits, large ones first. Returns the last error message of the server. */
async function fillUp(db: Connection): Promise<string> {
  let last = ''
  for (let bytes = 1024 * 1024; bytes >= 4096; bytes = Math.floor(bytes / 4)) {
    for (let isFull = false; !isFull; ) {
      await db.query("INSERT INTO ballast (filling) VALUES (REPEAT('x', ?))", [bytes]).catch((error: Error) => {
        last = error.message
        isFull = true
      })
    }
  }
  return last
}
