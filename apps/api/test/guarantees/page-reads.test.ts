import { Worker } from 'node:worker_threads'
import BetterSqlite3 from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { permissionsOf } from '../../src/rooms/identity/permissions.ts'
import { nameOf } from '../asking.ts'
import { furnishedApp } from '../furnished.ts'
import { addressOf, operations } from '../operations.ts'
import type { ListPage } from '../prospects.ts'

/* Tests that a page of many rows reads as often as a page of one row. The operations come from the fixtures of all rooms. */

/** Records the statements that run, in this thread and for the background thread. Returns a function that returns them and begins again. */
function recordStatements(): () => string[] {
  const ran: string[] = []
  const database = new BetterSqlite3(':memory:')
  const statement = Object.getPrototypeOf(database.prepare('SELECT 1'))
  database.close()
  for (const method of ['all', 'get', 'run', 'iterate'] as const) {
    const original = statement[method]
    vi.spyOn(statement, method).mockImplementation(function (this: BetterSqlite3.Statement, ...given: unknown[]) {
      ran.push(this.source)
      return original.apply(this, given)
    })
  }
  const post = Worker.prototype.postMessage
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (
    this: Worker,
    message: { request?: { sql?: string } },
  ) {
    if (message.request?.sql !== undefined) ran.push(message.request.sql)
    return post.call(this, message)
  })
  onTestFinished(() => void vi.restoreAllMocks())
  return () => ran.splice(0)
}

/** Returns the statements that ran more often for the page of many rows than for the page of one row. */
function repeated(one: readonly string[], many: readonly string[]): string[] {
  const times = (all: readonly string[], sql: string) => all.filter((other) => other === sql).length
  return [...new Set(many)].filter(
    (sql) => !/^(BEGIN|END)/.test(sql) && times(many, sql) > Math.max(1, times(one, sql)),
  )
}

test.each(['viewer', 'administrator'] as const)(
  'a page of many rows runs no query for each row, for a %s',
  async (role) => {
    const { t, place } = await furnishedApp()
    const client = await t.as(role)
    const lists = operations.filter(
      ({ isList, method, permission }) =>
        isList && method === 'get' && (permission === null || permissionsOf(role).has(permission)),
    )
    const taken = recordStatements()
    let compared = 0
    for (const operation of lists) {
      const address = addressOf(operation, place)
      const read = async (limit: number) => {
        const path = `${address}${address.includes('?') ? '&' : '?'}limit=${limit}`
        // The first read prepares statements and fills caches.
        await client.get(path)
        taken()
        const { status, body } = await client.get<ListPage<unknown>>(path)
        expect([nameOf(operation), status]).toEqual([nameOf(operation), 200])
        return { rows: body.items.length, ran: taken() }
      }
      const [one, many] = [await read(1), await read(50)]
      if (many.rows === one.rows) continue
      compared += 1
      expect([nameOf(operation), repeated(one.ran, many.ran)]).toEqual([nameOf(operation), []])
    }
    expect(compared).toBeGreaterThan(35)
  },
)
