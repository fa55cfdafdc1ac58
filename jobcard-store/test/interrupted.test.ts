import type { Connection } from 'mysql2/promise'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { applyUpgrade } from '../src/apply-upgrade.ts'
import { rowOf } from '../src/connection.ts'
import { type Statement, upgradeStatements } from '../src/statements.ts'
import { exitCodes } from '../src/store-error.ts'
import { createStore, everythingIn, faultsOf, programsIn, type TestStore } from './store.ts'

const statements = upgradeStatements()
const noPrograms = { routines: [], triggers: [], events: [] }

/**
 * A killed session leaves only what it committed. The script is therefore run once to find the statements that leave something new. Then a run is
 * killed after each of these statements, and after the last statement before it. A kill between the two leaves the same store.
 */
test('killed after whichever statement, the store works, and the next run makes it whole', async () => {
  const walked = await createStore()
  const states: { count: number; state: unknown }[] = [{ count: 0, state: await everythingIn(walked.db) }]
  for (const [index, { sql }] of statements.entries()) {
    await walked.db.query(sql)
    const state = await everythingIn(walked.db)
    if (!equal(state, states.at(-1)?.state)) states.push({ count: index + 1, state })
  }
  const whole = states.at(-1)?.state
  // the unique key, seven tables, eight permissions, the grants
  expect(states).toHaveLength(1 + 17)

  for (const { count, state } of states) {
    const store = await createStore()
    await runKilled(store, statements.slice(0, count))
    expect(await everythingIn(store.db)).toEqual(state)
    await applyUpgrade(store.db)
    expect(await faultsOf(store.db)).toEqual([])
    expect(await programsIn(store.db)).toEqual(noPrograms)
    expect(await everythingIn(store.db)).toEqual(whole)
  }
})

test('killed after each statement in turn, every run going on from the store of the one before, it ends whole', async () => {
  const store = await createStore()
  for (let count = 1; count <= statements.length; count += 1) await runKilled(store, statements.slice(0, count))
  expect(await faultsOf(store.db)).toEqual([])
  expect(await programsIn(store.db)).toEqual(noPrograms)
}, 180_000)

test('killed while it waits for a lock on sla_agreements, nothing was changed', async () => {
  const store = await createStore()
  await store.db.query('INSERT INTO clients (id) VALUES (1)')
  const before = await everythingIn(store.db)
  const holder = await store.connect()
  await holder.query('START TRANSACTION')
  await holder.query('SELECT * FROM sla_agreements')
  await killWaiting(store, 'ALTER TABLE')
  await holder.query('ROLLBACK')
  expect(await everythingIn(store.db)).toEqual(before)
  await applyUpgrade(store.db)
  expect(await faultsOf(store.db)).toEqual([])
})

test('killed while it waits for a row of permissions, the tables stay and the next run adds the rest', async () => {
  const store = await createStore()
  const holder = await store.connect()
  await holder.query('START TRANSACTION')
  await holder.query("INSERT INTO permissions (name) VALUES ('credentials.view')")
  await killWaiting(store, 'INSERT INTO permissions')
  await holder.query('ROLLBACK')
  const faults = await faultsOf(store.db)
  expect(faults).toContain('missing permission credentials.view: view protected credentials')
  expect(faults).not.toContain('missing table notifications')
  await applyUpgrade(store.db)
  expect(await faultsOf(store.db)).toEqual([])
})

/**
 * Runs the statements on a connection that is then lost, and waits until the server has ended its session. The connection is closed and not ended by
 * KILL, because MariaDB 10.11.18 sometimes crashed at a KILL of an idle session.
 */
async function runKilled(store: TestStore, first: Statement[]): Promise<void> {
  const victim = await store.connect()
  for (const { sql } of first) await victim.query(sql)
  const id = await connectionId(victim)
  victim.destroy()
  const sessions = z.object({ count: z.coerce.number() })
  const isThere = `SELECT COUNT(*) AS count FROM information_schema.PROCESSLIST WHERE ID = ${id}`
  await expect.poll(async () => (await rowOf(store.db, sessions, isThere)).count, { timeout: 20_000 }).toBe(0)
}

/** Starts the upgrade, and kills its connection while a statement with this beginning waits for a lock. */
async function killWaiting(store: TestStore, beginning: string): Promise<void> {
  const victim = await store.connect()
  const id = await connectionId(victim)
  const refused = expect(applyUpgrade(victim)).rejects.toMatchObject({ exitCode: exitCodes.interrupted })
  const waiting = z.object({ count: z.coerce.number() })
  const isWaiting = `SELECT COUNT(*) AS count FROM information_schema.PROCESSLIST WHERE ID = ${id} AND INFO LIKE '${beginning}%' AND TIME >= 1`
  await expect.poll(async () => (await rowOf(store.db, waiting, isWaiting)).count, { timeout: 20_000 }).toBe(1)
  await store.db.query(`KILL ${id}`)
  await refused
}

async function connectionId(db: Connection): Promise<string> {
  return (await rowOf(db, z.object({ id: z.coerce.string() }), 'SELECT CONNECTION_ID() AS id')).id
}

function equal(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
