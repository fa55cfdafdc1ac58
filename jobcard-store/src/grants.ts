/** A privilege on one table that the upgrade needs. */
export type Need = { privilege: string; table: string }

type Grant = { privileges: Set<string>; database: string; table: string }

const grantLine = /^(GRANT|REVOKE) (.+?) ON (?:TABLE )?(\S+?)\.(\S+) (?:TO|FROM) /

/**
 * Returns the needed privileges that the lines of SHOW GRANTS do not grant. It understands grants on all databases, on databases (with `%` and `_` as
 * wildcards) and on tables, and `ALL PRIVILEGES`. It also understands MySQL's partial revokes, which have precedence over a grant on all databases.
 */
export function lackingPrivileges(lines: string[], database: string, needs: Need[]): Need[] {
  const parsed = lines.flatMap((line) => {
    const [, verb, privileges = '', on = '', table = ''] = grantLine.exec(line) ?? []
    if (verb === undefined) return []
    // Removes privileges on single columns, such as SELECT (a, b), because they do not grant the privilege on the table.
    const names = privileges
      .replace(/[\w ]+ \([^)]*\)/g, '')
      .split(',')
      .map((name) => name.trim())
    return [{ verb, grant: { privileges: new Set(names), database: unquoted(on), table: unquoted(table) } }]
  })
  const grants = parsed.filter(({ verb }) => verb === 'GRANT').map(({ grant }) => grant)
  const revokes = parsed.filter(({ verb }) => verb === 'REVOKE').map(({ grant }) => grant)
  return needs.filter((need) => {
    const covers = (grant: Grant) => isCovered(grant, database, need)
    return (
      !grants.some(covers) || (revokes.some(covers) && !grants.filter(({ database: on }) => on !== '*').some(covers))
    )
  })
}

function isCovered({ privileges, database, table }: Grant, wantedDatabase: string, need: Need): boolean {
  const isOnDatabase = database === '*' || wildcard(database).test(wantedDatabase)
  const isOnTable = table === '*' || table === need.table
  return (
    isOnDatabase &&
    isOnTable &&
    (privileges.has(need.privilege) || privileges.has('ALL PRIVILEGES') || privileges.has('ALL'))
  )
}

/** Returns a regular expression for a database name in a grant, such as `job\_card%`, as MySQL reads it. */
function wildcard(pattern: string): RegExp {
  const source = pattern.replace(/\\?[\s\S]/g, (part) => {
    if (part === '%') return '.*'
    if (part === '_') return '.'
    const literal = part.length > 1 ? part.slice(1) : part
    return literal.replace(/[^\w]/g, '\\$&')
  })
  return new RegExp(`^${source}$`, 'i')
}

function unquoted(name: string): string {
  return name.replace(/^[`"]|[`"]$/g, '')
}
