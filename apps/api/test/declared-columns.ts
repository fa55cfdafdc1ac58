import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { columnOf, facts, storedFacts } from '../src/rooms/businesses/businesses.ts'

const source = join(import.meta.dirname, '../src')

/** A column of a table as `<room>.table.ts` declares it. `type`: the words of its type, such as `string | null`. */
export type DeclaredColumn = { table: string; column: string; type: string }

/**
 * Returns every column that the sources declare for the tables of the store. Reads the declarations as text, because types are gone when a test runs.
 * A test that uses the list compares it with the columns of the store, so that a declaration which this function cannot read fails it.
 */
export function declaredColumns(): DeclaredColumn[] {
  return globSync('**/*.ts', { cwd: source }).flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8')
    const tables = /^ {2}interface Database \{\n(.*?)^ {2}\}/ms.exec(text)?.[1] ?? ''
    return [...tables.matchAll(/^ {4}(\w+): (\w+)$/gm)].flatMap(([, table = '', type = '']) =>
      columnsOf(text, type).map((column) => ({ table, ...column })),
    )
  })
}

/** The columns of `FactColumns`, which the table of business facts declares. Of a record only the name is required. */
const columnsOfFacts = storedFacts.map((field) => {
  const type = facts[field].kind === 'text' ? 'string' : 'number'
  return { column: columnOf(field), type: field === 'name' ? type : `${type} | null` }
})

/** Returns the columns of a type: `{ a: string }`, on one or several lines, or an intersection of types. */
function columnsOf(text: string, name: string): Omit<DeclaredColumn, 'table'>[] {
  if (name === 'FactColumns') return columnsOfFacts
  const declared = new RegExp(`^(?:export )?type ${name} = (.*?)\\{(.*?)\\}$`, 'ms').exec(text)
  if (declared === null) throw new Error(`The type ${name} is not declared where its table is.`)
  const [, before = '', body = ''] = declared
  const others = [...before.matchAll(/(\w+) &/g)].flatMap(([, other = '']) => columnsOf(text, other))
  const members = body.replace(/\/\*\*.*?\*\//gs, '').split(/[\n;]/)
  return [...others, ...members.flatMap(columnIn)]
}

function columnIn(member: string): Omit<DeclaredColumn, 'table'>[] {
  const [, column, type] = /^\s*(\w+): (.+?)\s*$/.exec(member) ?? []
  return column === undefined || type === undefined ? [] : [{ column, type }]
}
