import { readFileSync } from 'node:fs'

export type Statement = { sql: string; line: number }

/** The script with the upgrade. It is the only one, whether a client or this command applies it. */
const upgradeFile = new URL('../upgrade.sql', import.meta.url)

/** Returns the statements of upgrade.sql in order. */
export function upgradeStatements(): Statement[] {
  return splitStatements(readFileSync(upgradeFile, 'utf8'))
}

/**
 * Splits a script into statements as the mariadb and mysql clients do, as far as upgrade.sql needs it. `;` ends a statement, except within quotes and
 * `-- ` comments. A doubled quote needs no special case, because it is read as the end of one text and the start of the next.
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
