import { statfs } from 'node:fs/promises'
import type { Connection } from 'mysql2/promise'
import { z } from 'zod'
import {
  administratorRole,
  existingTables,
  newTables,
  referencedTables,
  slaKey,
  type TableShape,
  technicianRole,
} from './appendix.ts'
import { rowOf, rowsOf } from './connection.ts'
import { lackingPrivileges, type Need } from './grants.ts'
import type { LiveTable } from './live-schema.ts'
import type { Line } from './report.ts'
import type { Server } from './server.ts'
import { isTable, verifyPermissions, verifySlaKey, verifyTable } from './verify.ts'

type LiveSchema = Map<string, LiveTable>

/** Maximum number of clients with several rows that are listed. All of them are counted. */
const maxDuplicatesShown = 20

/** Upper estimate of the space for seven empty tables and the server's logs. */
const spaceOfTablesBytes = 64 * 1024 * 1024

/** Upper estimate of the space that a row takes in an index on a BIGINT, including its primary key. */
const spaceOfIndexRowBytes = 64

/** Returns everything that prevents the upgrade, everything that it would add, and everything that cannot be determined from here. Only reads. */
export async function preflight(db: Connection, server: Server, live: LiveSchema, isLocal: boolean): Promise<Line[]> {
  const existing = checkExistingTables(live)
  const privileges = await checkPrivileges(db, server.isMariaDb)
  const isReadable = [...existing, privileges].every(({ mark }) => mark === 'ok')
  return [
    ...checkServer(server),
    ...(await checkForeignKeys(db)),
    ...existing,
    privileges,
    ...(isReadable ? await checkRows(db, live) : []),
    await checkSpace(db, server, isLocal),
    ...newTables.flatMap((table) => planTable(table, live.get(table.name))),
    ...(isReadable ? await planRest(db, live) : []),
  ]
}

export function mayUpgrade(lines: Line[]): boolean {
  return lines.every(({ mark }) => mark !== 'stop')
}

function checkServer({
  version,
  isMariaDb,
  isSupported,
  isReadOnly,
  characterSet,
  databaseCharacterSet,
}: Server): Line[] {
  const name = isMariaDb ? `MariaDB (${version})` : `MySQL (${version})`
  return [
    isSupported
      ? { mark: 'ok', text: `server: ${name}` }
      : { mark: 'stop', text: `server: ${name}; MariaDB 10.6 or MySQL 8.0 is needed, or later` },
    isReadOnly
      ? {
          mark: 'stop',
          text: 'server: set to read only; is it a replica? The upgrade belongs on the server that it copies',
        }
      : { mark: 'ok', text: 'server: takes changes' },
    characterSet === 'utf8mb4'
      ? { mark: 'ok', text: 'character set of the connection: utf8mb4' }
      : { mark: 'stop', text: `character set of the connection: ${characterSet}, not utf8mb4` },
    databaseCharacterSet === 'utf8mb4'
      ? { mark: 'ok', text: 'character set of the database: utf8mb4' }
      : {
          mark: 'note',
          text: `character set of the database: ${databaseCharacterSet}; the new tables are utf8mb4 all the same`,
        },
  ]
}

/**
 * Warns if the server checks foreign keys above InnoDB, as MySQL 9.7 does by default. With 9.7.4 such a check did not cover rows whose index contains
 * NULL in another column. A notification without a deduplication key can then belong to a user who does not exist.
 */
async function checkForeignKeys(db: Connection): Promise<Line[]> {
  const variable = z.object({ Value: z.string() })
  const found = await rowsOf(db, variable, "SHOW GLOBAL VARIABLES LIKE 'innodb_native_foreign_keys'")
  if (found[0]?.Value !== 'OFF') return []
  const advice = 'this server may not check every notification; start it with innodb_native_foreign_keys=ON'
  return [{ mark: 'note', text: `foreign keys: ${advice} (see the guide)` }]
}

function checkExistingTables(live: LiveSchema): Line[] {
  return Object.entries(existingTables).flatMap(([name, columns]) => {
    const table = live.get(name)
    if (table === undefined) return stop(`table ${name} is missing, or this account may not see it`)
    if (!isTable(table)) return stop(`${name} is not a table but a ${table.kind.toLowerCase()}`)
    const missing = columns.filter((column) => !table.columns.has(column))
    if (missing.length > 0) return missing.map((column) => `column ${name}.${column} is missing`).flatMap(stop)
    if (referencedTables.includes(name)) return checkReferenced(name, table)
    return checkMandatory(name, table)
  })
}

function stop(text: string): Line[] {
  return [{ mark: 'stop', text }]
}

/**
 * Checks a table to which foreign keys refer. A foreign key needs the same type on both sides, and a primary or unique key on the referenced column
 * alone.
 */
function checkReferenced(name: string, table: LiveTable): Line[] {
  const type = table.columns.get('id') ?? ''
  if (table.engine !== 'InnoDB') return stop(`table ${name} is kept by ${table.engine}; foreign keys need InnoDB`)
  if (table.isPartitioned) return stop(`table ${name} is partitioned; foreign keys cannot point there`)
  if (!type.startsWith('BIGINT UNSIGNED ')) return stop(`${name}.id is ${type}; the foreign keys need BIGINT UNSIGNED`)
  if (!table.keys.some((key) => /^(PRIMARY|UNIQUE) KEY (\S+ )?\(id\)$/.test(key))) {
    return stop(`${name}.id is not a primary or unique key of its own; the foreign keys need one`)
  }
  return [{ mark: 'ok', text: `table ${name}, id ${type}` }]
}

function checkMandatory(name: string, table: LiveTable): Line[] {
  const filled: Record<string, string[]> = {
    permissions: ['name', 'description'],
    role_permissions: ['role_id', 'permission_id'],
  }
  const known = filled[name]
  const unknown = known === undefined ? [] : table.mandatory.filter((column) => !known.includes(column))
  if (unknown.length === 0) return [{ mark: 'ok', text: `table ${name}` }]
  return unknown.flatMap((column) =>
    stop(`${name}.${column} wants a value that the upgrade does not know; give it a default`),
  )
}

async function checkRows(db: Connection, live: LiveSchema): Promise<Line[]> {
  const roles: Line[] = []
  for (const role of [administratorRole, technicianRole]) {
    const count = await countOf(db, 'SELECT COUNT(*) AS count FROM roles WHERE name = ?', [role])
    roles.push(
      count > 0 ? { mark: 'ok', text: `role ${role}` } : { mark: 'stop', text: `table roles has no row named ${role}` },
    )
  }
  return [...roles, ...(await checkDuplicates(db, live))]
}

const twice = 'FROM sla_agreements WHERE client_id IS NOT NULL GROUP BY client_id HAVING COUNT(*) > 1'

async function checkDuplicates(db: Connection, live: LiveSchema): Promise<Line[]> {
  const key = live.get('sla_agreements')?.keys.find((found) => / sla_client_unique /.test(found))
  if (key === slaKey) return [{ mark: 'ok', text: 'sla_agreements: one row a client, as its key sees to' }]
  if (key !== undefined) return stop(`the key sla_client_unique of sla_agreements is ${key}, not ${slaKey}`)
  const count = await countOf(db, `SELECT COUNT(*) AS count FROM (SELECT client_id ${twice}) AS clients`)
  if (count === 0) return [{ mark: 'ok', text: 'sla_agreements: one row a client' }]
  const row = z.object({ client: z.coerce.string(), count: z.coerce.number() })
  const duplicates = await rowsOf(
    db,
    row,
    `SELECT client_id AS client, COUNT(*) AS count ${twice} ORDER BY client_id LIMIT ${maxDuplicatesShown}`,
  )
  const listed = duplicates.map((duplicate) => `client ${duplicate.client}: ${duplicate.count} rows`).join(', ')
  const rest = count > maxDuplicatesShown ? `, and ${count - maxDuplicatesShown} clients more` : ''
  return stop(
    `sla_agreements: clients with more than one row: ${count} (${listed}${rest}); keep one row of each. To find them: SELECT client_id, COUNT(*) ${twice}`,
  )
}

async function countOf(db: Connection, sql: string, values: string[] = []): Promise<number> {
  return (await rowOf(db, z.object({ count: z.coerce.number() }), sql, values)).count
}

async function checkPrivileges(db: Connection, isMariaDb: boolean): Promise<Line> {
  const needs: Need[] = [
    ...newTables.map(({ name: table }) => ({ privilege: 'CREATE', table })),
    ...Object.keys(existingTables).map((table) => ({ privilege: 'SELECT', table })),
    ...['permissions', 'role_permissions'].map((table) => ({ privilege: 'INSERT', table })),
    { privilege: 'ALTER', table: 'sla_agreements' },
    // Only MySQL requires REFERENCES. In MariaDB, an account that may create a table may also create its foreign keys.
    ...(isMariaDb ? [] : referencedTables.map((table) => ({ privilege: 'REFERENCES', table }))),
  ]
  const row = z.object({ database: z.string(), roles: z.string().nullable() })
  const { database, roles } = await rowOf(db, row, 'SELECT DATABASE() AS `database`, CURRENT_ROLE() AS roles')
  // Lists the active roles for MySQL, which shows the grants of roles only if they are named. MariaDB shows the grants of the active role anyway.
  const using = roles?.includes('@') ? ` FOR CURRENT_USER() USING ${roles}` : ''
  const lines = await rowsOf(db, z.record(z.string(), z.string()), `SHOW GRANTS${using}`)
  const lacking = lackingPrivileges(
    lines.flatMap((line) => Object.values(line)),
    database,
    needs,
  )
  if (lacking.length === 0) return { mark: 'ok', text: 'privileges: all that the upgrade needs' }
  const listed = lacking.map(({ privilege, table }) => `${privilege} on ${table}`).join(', ')
  return { mark: 'stop', text: `privileges: this account lacks ${listed}` }
}

/**
 * Compares the free disk space with an estimate. The new tables are empty, and the unique key needs an index over sla_agreements. The free space is
 * known only if the server is on this machine.
 */
async function checkSpace(db: Connection, { dataFolder }: Server, isLocal: boolean): Promise<Line> {
  const rows = await countOf(
    db,
    `SELECT COALESCE(MAX(TABLE_ROWS), 0) AS count FROM information_schema.TABLES
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'sla_agreements'`,
  )
  const neededBytes = spaceOfTablesBytes + rows * spaceOfIndexRowBytes
  const needed = `the upgrade needs about ${megabytes(neededBytes)}`
  const free = isLocal ? await freeBytes(dataFolder) : undefined
  if (free === undefined)
    return { mark: 'note', text: `free space: cannot be seen from here; ${needed} in ${dataFolder} of the server` }
  return {
    mark: free > neededBytes ? 'ok' : 'stop',
    text: `free space: ${megabytes(free)} in ${dataFolder}; ${needed}`,
  }
}

async function freeBytes(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    // The folder is not readable for this user, so the free space is reported as unknown.
    return undefined
  }
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MiB`
}

/**
 * Returns the lines for one of the new tables. A missing table will be added. An existing table that differs from the appendix stops the upgrade,
 * because the upgrade never changes an existing table.
 */
function planTable(wanted: TableShape, found: LiveTable | undefined): Line[] {
  const lines = verifyTable(wanted, found)
  if (found === undefined) return lines.map(({ text }) => ({ mark: 'add', text }))
  const drift = lines.filter(({ mark }) => mark === 'missing' || mark === 'differs')
  if (drift.length === 0) return [{ mark: 'ok', text: `table ${wanted.name} is there and whole` }]
  return drift.map(({ mark, text }) => ({
    mark: 'stop',
    text: `drift: ${text}${mark === 'missing' ? ': is missing' : ''}`,
  }))
}

async function planRest(db: Connection, live: LiveSchema): Promise<Line[]> {
  const lines = [verifySlaKey(live), ...(await verifyPermissions(db, live))]
  return lines.filter(({ mark }) => mark === 'missing').map(({ text }) => ({ mark: 'add', text }))
}
