import { readFileSync } from 'node:fs'

export type Statement = { sql: string; line: number }

/** The one script that makes the change, whoever applies it. */
const upgradeFile = new URL('../upgrade.sql', import.meta.url)

/** The statements of upgrade.sql, in order. */
export function upgradeStatements(): Statement[] {
  return splitStatements(readFileSync(upgradeFile, 'utf8'))
}

/**
 * Splits a script as the mariadb and mysql clients do, as far as upgrade.sql needs it: `;` ends a statement except inside
 * quotes and `-- ` comments. A doubled quote ends a text and begins the next at once, so it needs no case of its own.
 */
export function splitStatements(script: string): Statement[] {
  const statements: Statement[] = []
  const tokens = /--[ \n][^\n]*|--$|'[^']*'|`[^`]*`|;|\n|[^\s]|\s/g
  let sql = ''
  let line = 1
  let firstLine = 1
  for (const [token] of script.matchAll(tokens)) {
    if (token === ';') {
      statements.push({ sql: sql.trim(), line: firstLine })
      sql = ''
    } else if (!token.startsWith('--')) {
      if (sql.trim() === '') firstLine = line
      sql += token
    }
    line += token.split('\n').length - 1
  }
  if (sql.trim() !== '') statements.push({ sql: sql.trim(), line: firstLine })
  return statements
}
