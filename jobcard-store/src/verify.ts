import type { Connection } from 'mysql2/promise'
import { z } from 'zod'
import { administratorRole, newPermissions, newTables, slaKey, type TableShape, technicianRole } from './appendix.ts'
import { rowsOf } from './connection.ts'
import type { LiveTable } from './live-schema.ts'
import type { Line } from './report.ts'

type LiveSchema = Map<string, LiveTable>

/** Compares the live schema with the appendix and returns a line for every table, column, key, foreign key, permission and grant. Only reads. */
export async function verifyStore(db: Connection, live: LiveSchema): Promise<Line[]> {
  return [
    ...newTables.flatMap((table) => verifyTable(table, live.get(table.name))),
    verifySlaKey(live),
    ...(await verifyPermissions(db, live)),
  ]
}

/** True if no line reports a difference from the appendix. */
export function isWhole(lines: Line[]): boolean {
  return lines.every(({ mark }) => mark === 'ok' || mark === 'beyond' || mark === 'note')
}

/** Compares one table with the appendix: its columns, keys and foreign keys, and what it has in addition. */
export function verifyTable(wanted: TableShape, found: LiveTable | undefined): Line[] {
  const { name } = wanted
  if (found === undefined) return [{ mark: 'missing', text: `table ${name}` }]
  if (!isTable(found)) return [{ mark: 'differs', text: `${name} is not a table but a ${found.kind.toLowerCase()}` }]
  const engine: Line =
    found.engine === 'InnoDB'
      ? { mark: 'ok', text: `table ${name}` }
      : { mark: 'differs', text: `table ${name} is kept by ${found.engine}, not InnoDB` }
  return [
    engine,
    ...Object.entries(wanted.columns).map(([column, shape]): Line => verifyColumn(name, column, shape, found)),
    ...wanted.keys.map((key): Line => verifyKey(name, key, found)),
    ...wanted.references.map(
      (reference): Line => ({
        mark: found.references.includes(reference) ? 'ok' : 'missing',
        text: `${name}: foreign key ${reference}`,
      }),
    ),
    ...beyond(wanted, found),
  ]
}

export function isTable({ kind }: LiveTable): boolean {
  return kind === 'BASE TABLE' || kind === 'SYSTEM VERSIONED'
}

function verifyColumn(table: string, column: string, wanted: string, { columns }: LiveTable): Line {
  const found = columns.get(column)
  const text = `${table}.${column} ${wanted}`
  if (found === undefined) return { mark: 'missing', text }
  return found === wanted ? { mark: 'ok', text } : { mark: 'differs', text: `${text}: is ${found}` }
}

function verifyKey(table: string, wanted: string, { keys }: LiveTable): Line {
  const text = `${table}: ${wanted.replace(' * ', ' ')}`
  if (keys.some((key) => isSameKey(key, wanted))) return { mark: 'ok', text }
  const name = keyName(wanted)
  const namesake = keys.find((key) => name !== '*' && keyName(key) === name)
  return namesake === undefined ? { mark: 'missing', text } : { mark: 'differs', text: `${text}: is ${namesake}` }
}

function isSameKey(found: string, wanted: string): boolean {
  return found === wanted || found.replace(/KEY \S+ /, 'KEY * ') === wanted
}

function keyName(key: string): string {
  return /KEY (?:(\S+) )?\(/.exec(key)?.[1] ?? 'PRIMARY'
}

/**
 * Returns a line for everything that a table has in addition to the appendix. The mark is `differs` if it refuses rows that the appendix allows,
 * otherwise `beyond`.
 */
function beyond(wanted: TableShape, found: LiveTable): Line[] {
  const { name } = wanted
  const ofReferences = new Set(found.references.map((reference) => reference.split(' -> ')[0]))
  const columns = [...found.columns].filter(([column]) => !(column in wanted.columns))
  const keys = found.keys.filter((key) => !wanted.keys.some((other) => isSameKey(key, other)))
  const references = found.references.filter((reference) => !wanted.references.includes(reference))
  return [
    ...columns.map(([column, shape]): Line => {
      const isMandatory = found.mandatory.includes(column)
      return { mark: isMandatory ? 'differs' : 'beyond', text: `${name}.${column} ${shape} is not of the appendix` }
    }),
    ...keys
      .filter((key) => key.startsWith('UNIQUE') || !ofReferences.has(/\((.*)\)$/.exec(key)?.[1] ?? ''))
      .map((key): Line => {
        return { mark: key.startsWith('UNIQUE') ? 'differs' : 'beyond', text: `${name}: ${key} is not of the appendix` }
      }),
    ...references.map((reference): Line => {
      return { mark: 'differs', text: `${name}: foreign key ${reference} is not of the appendix` }
    }),
  ]
}

export function verifySlaKey(live: LiveSchema): Line {
  const table = live.get('sla_agreements')
  return table === undefined
    ? { mark: 'missing', text: 'table sla_agreements' }
    : verifyKey('sla_agreements', slaKey, table)
}

/** Checks that the permissions exist and which roles have them. The columns of `existingTables` must exist. */
export async function verifyPermissions(db: Connection, live: LiveSchema): Promise<Line[]> {
  const absent = ['roles', 'permissions', 'role_permissions'].filter((name) => !live.has(name))
  if (absent.length > 0) return absent.map((name) => ({ mark: 'missing', text: `table ${name}` }))
  const named = z.object({ name: z.string() })
  const names = new Set((await rowsOf(db, named, 'SELECT name FROM permissions')).map(({ name }) => name))
  return [
    ...Object.entries(newPermissions).map(([name, meaning]): Line => {
      return { mark: names.has(name) ? 'ok' : 'missing', text: `permission ${name}: ${meaning}` }
    }),
    await verifyGrants(db, administratorRole, undefined),
    await verifyGrants(db, technicianRole, 'technical.view'),
  ]
}

/** Checks that every role of this name has the permission, or all permissions if `permission` is undefined. */
async function verifyGrants(db: Connection, role: string, permission: string | undefined): Promise<Line> {
  const what = `role ${role} holds ${permission ?? 'every permission'}`
  const roles = await rowsOf(db, z.object({ name: z.string() }), 'SELECT name FROM roles WHERE name = ?', [role])
  if (roles.length === 0) return { mark: 'missing', text: `${what}: there is no role of that name` }
  const lacking = await rowsOf(
    db,
    z.object({ name: z.string() }),
    `SELECT permissions.name AS name FROM roles JOIN permissions
     WHERE roles.name = ? ${permission === undefined ? '' : 'AND permissions.name = ?'}
       AND NOT EXISTS (
         SELECT 1 FROM role_permissions AS held WHERE held.role_id = roles.id AND held.permission_id = permissions.id
       )
     ORDER BY permissions.name`,
    permission === undefined ? [role] : [role, permission],
  )
  if (lacking.length === 0) return { mark: 'ok', text: what }
  return { mark: 'missing', text: `${what}: lacks ${lacking.map(({ name }) => name).join(', ')}` }
}
