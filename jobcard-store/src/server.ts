import type { Connection } from 'mysql2/promise'
import { z } from 'zod'
import { rowOf } from './connection.ts'

export type Server = {
  /** the version text of the server */
  version: string
  isMariaDb: boolean
  /** MariaDB 10.6 or MySQL 8.0, or later */
  isSupported: boolean
  isReadOnly: boolean
  /** character set of the connection */
  characterSet: string
  /** default character set of the database, used for objects that are created without one of their own */
  databaseCharacterSet: string
  dataFolder: string
}

const serverRow = z.object({
  version: z.string(),
  // "0" or "1"; newer versions of MariaDB return "OFF" or "ON"
  isReadOnly: z.coerce.string().transform((value) => !/^(0|off)$/i.test(value)),
  client: z.string(),
  connection: z.string(),
  databaseCharacterSet: z.string(),
  dataFolder: z.string(),
})

/** The first supported version of each server, as major × 1000 + minor. */
const firstSupported = { mariaDb: 10_006, mySql: 8_000 }

export async function readServer(db: Connection): Promise<Server> {
  const row = await rowOf(
    db,
    serverRow,
    `SELECT VERSION() AS version, @@GLOBAL.read_only AS isReadOnly, @@SESSION.character_set_client AS client,
       @@SESSION.character_set_connection AS \`connection\`, @@SESSION.character_set_database AS databaseCharacterSet,
       @@datadir AS dataFolder`,
  )
  const isMariaDb = /mariadb/i.test(row.version)
  const [, major = '0', minor = '0'] = /^(\d+)\.(\d+)/.exec(row.version) ?? []
  return {
    version: row.version,
    isMariaDb,
    isSupported: Number(major) * 1000 + Number(minor) >= firstSupported[isMariaDb ? 'mariaDb' : 'mySql'],
    isReadOnly: row.isReadOnly,
    characterSet: row.client === row.connection ? row.client : `${row.client} and ${row.connection}`,
    databaseCharacterSet: row.databaseCharacterSet,
    dataFolder: row.dataFolder,
  }
}
