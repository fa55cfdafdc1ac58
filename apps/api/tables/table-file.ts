import type { Column, Value } from './schema.ts'

/*
 * Reads and writes a `<room>.table.ts`. Written from the schema: the columns of each row type and their order, nullability, `Generated`, and the values
 * of lists. Taken over from the file: comments, names of types, a type that is narrower than `string` or `number`, the order of a list, and all other
 * code. The file is formatted as Biome formats it.
 */

export const HEAD =
  '// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).'

const LINE_WIDTH = 120

/** A column as a file declares it. `comment`: the lines above it. `type`: the words of its type, such as `Generated<number> | null`. */
export type DeclaredColumn = { column: string; type: string; comment: string }

const database = /^ {2}interface Database \{\n(.*?)^ {2}\}$/ms

/** Returns the tables that a file declares, each with the name of its row type. */
export function tablesIn(text: string): { table: string; typeName: string }[] {
  const lines = database.exec(text)?.[1] ?? ''
  return [...lines.matchAll(/^ {4}(\w+): (\w+)$/gm)].map(([, table = '', typeName = '']) => ({ table, typeName }))
}

/** Returns the columns of the row type of a table. */
export function columnsIn(text: string, typeName: string): DeclaredColumn[] {
  return rowTypeIn(text, typeName).columns
}

/** Returns the text of a file with the columns of the schema. `tables`: the tables that the file has to declare. */
export function withColumns(text: string, tables: ReadonlyMap<string, readonly Column[]>): string {
  const file = { text: text.startsWith(HEAD) ? text : `${HEAD}\n\n${text}` }
  declareTables(file, [...tables.keys()])
  const lists = new Map<string, Value[]>()
  for (const { table, typeName } of tablesIn(file.text)) {
    const columns = tables.get(table) ?? []
    const { declaration, columns: declared } = rowTypeIn(file.text, typeName)
    const members = columns.map((column) => {
      const known = declared.find((one) => one.column === column.name)
      const { base, list } = baseOf(file.text, column, withoutWrapping(known?.type ?? column.type))
      if (list !== undefined) requireSameList(lists, { list, where: `${table}.${column.name}`, values: column.values })
      return { column: column.name, type: wrapped(base, column), comment: known?.comment ?? '' }
    })
    replace(file, declaration, printRowType(declaration, members))
  }
  for (const [list, values] of lists) writeList(file, list, values)
  importGenerated(file)
  return file.text
}

type File = { text: string }

const replace = (file: File, before: string, after: string): void => {
  file.text = file.text.replace(before, () => after)
}

/** Adds missing tables to the interface `Database`, each with an empty row type at the end of the file, and removes tables that are gone. */
function declareTables(file: File, tables: readonly string[]): void {
  const found = database.exec(file.text)?.[0]
  if (found === undefined) throw new Error('The file has no `interface Database`.')
  const declared = tablesIn(file.text)
  const kept = declared.filter(({ table }) => tables.includes(table))
  const added = tables
    .filter((table) => declared.every((one) => one.table !== table))
    .map((table) => ({ table, typeName: `${table.replace(/(?:^|_)(\w)/g, (_, first) => first.toUpperCase())}Table` }))
  const lines = [...kept, ...added].map(({ table, typeName }) => `    ${table}: ${typeName}\n`)
  replace(file, found, `  interface Database {\n${lines.join('')}  }`)
  for (const { typeName } of added) file.text += `\nexport type ${typeName} = {\n}\n`
}

function rowTypeIn(text: string, typeName: string): { declaration: string; columns: DeclaredColumn[] } {
  const [declaration, several, one] =
    new RegExp(`^(?:export )?type ${typeName} = \\{(?:\\n(.*?)^|( .*? ))\\}$`, 'ms').exec(text) ?? []
  if (declaration === undefined) throw new Error(`The type ${typeName} is not declared as an object beside its table.`)
  const members =
    one === undefined
      ? [...(several ?? '').matchAll(/^((?: {2}(?:\/\*\*| \*|\/\/).*\n)*) {2}(\w+):\s((?:.*\n)(?: {4}.*\n)*)/gm)]
      : one.split(';').map((member) => /^\s*()(\w+): (.*?)\s*$/.exec(member) ?? [])
  const columns = members.map(([, comment = '', column = '', type = '']) => ({ column, comment, type: type.trim() }))
  return { declaration, columns }
}

/** Removes what the schema decides from a declared type: whether it is null, and whether the database has a value. */
function withoutWrapping(type: string): string {
  const inner = /^Generated<(.*)>$/s.exec(type)?.[1] ?? type
  return inner.replace(/\s*\|\s*null$/, '').trim()
}

function wrapped(base: string, { isNullable, isGenerated }: Column): string {
  if (isNullable) return `${base} | null`
  return isGenerated ? `Generated<${base}>` : base
}

/**
 * Returns the type of a column without null, and the name of its list if the file gives it one. A CHECK list decides the type; without one, a
 * narrower type of the file stays.
 */
function baseOf(text: string, { type, values }: Column, declared: string): { base: string; list?: string } {
  if (values === null) return { base: declared === '' ? type : declared }
  const list = listNameOf(text, declared)
  if (list !== undefined) return { base: declared, list }
  return { base: inOrderOf(valuesIn(declared), values).map(print).join(' | ') }
}

/** Returns the name of the constant list, or of the union, to which a type of the file refers. */
function listNameOf(text: string, type: string): string | undefined {
  const constant = /^\(typeof (\w+)\)\[number\]$/.exec(type)?.[1]
  if (constant !== undefined) return listIn(text, constant) && constant
  if (!/^\w+$/.test(type)) return undefined
  const [, alias] = new RegExp(`^(?:export )?type ${type} = (.*?)\\n(?! )`, 'ms').exec(text) ?? []
  if (alias === undefined) return undefined
  return listNameOf(text, alias) ?? (listIn(text, type) && type)
}

/** Returns the declaration of a constant list `const x = ['a', 'b'] as const`, or of a union `type X = 'a' | 'b'`. */
function listIn(text: string, name: string): { whole: string; before: string; body: string } | undefined {
  const constant = String.raw`((?:export )?const ${name} = )\[(${items(',')},?\s*)\] as const`
  const union = String.raw`((?:export )?type ${name} =)((?:\s*\|)?${items('\\|')})`
  const [whole, constantStart, inArray, unionStart, inUnion] =
    new RegExp(`^(?:${constant}|${union})$`, 'm').exec(text) ?? []
  return whole === undefined
    ? undefined
    : { whole, before: constantStart ?? unionStart ?? '', body: inArray ?? inUnion ?? '' }
}

const item = String.raw`\s*(?:'(?:[^'\\]|\\.)*'|-?\d+)`
const items = (separator: string) => String.raw`${item}(?:\s*${separator}${item})*`

const valuesIn = (text: string): Value[] =>
  [...text.matchAll(/'((?:[^'\\]|\\.)*)'|(-?\d+)/g)].map(([, quoted, number]) => quoted ?? Number(number))

function requireSameList(
  lists: Map<string, Value[]>,
  { list, where, values }: { list: string; where: string; values: readonly Value[] | null },
): void {
  const wanted = values ?? []
  const known = lists.get(list)
  if (known !== undefined && !isSameSet(known, wanted)) {
    throw new Error(`${list} lists the values of several columns, and ${where} has others. Give its type another name.`)
  }
  lists.set(list, [...wanted])
}

function writeList(file: File, name: string, listed: readonly Value[]): void {
  const list = listIn(file.text, name)
  if (list === undefined) return
  const values = inOrderOf(valuesIn(list.body), listed).map(print)
  const { before } = list
  const isUnion = before.endsWith('=')
  const line = isUnion ? `${before} ${values.join(' | ')}` : `${before}[${values.join(', ')}] as const`
  const lines = isUnion
    ? `${before}\n${values.map((one) => `  | ${one}`).join('\n')}`
    : `${before}[\n${values.map((one) => `  ${one},\n`).join('')}] as const`
  replace(file, list.whole, line.length <= LINE_WIDTH ? line : lines)
}

const isSameSet = (a: readonly Value[], b: readonly Value[]) =>
  a.length === b.length && a.every((one) => b.includes(one))

/** Returns the values in the order that the file gave them; new values are last. */
function inOrderOf(order: readonly Value[], values: readonly Value[]): Value[] {
  return [...order.filter((one) => values.includes(one)), ...values.filter((one) => !order.includes(one))]
}

const print = (value: Value): string =>
  typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "\\'")}'`

function printRowType(declaration: string, members: readonly DeclaredColumn[]): string {
  const start = declaration.slice(0, declaration.indexOf('{') + 1)
  const line = `${start} ${members.map(({ column, type }) => `${column}: ${type}`).join('; ')} }`
  const isOneLine = !declaration.includes('\n') && line.length <= LINE_WIDTH
  return isOneLine ? line : `${start}\n${members.map(printColumn).join('')}}`
}

function printColumn({ column, type, comment }: DeclaredColumn): string {
  const union = type.replace(/\s*\n\s*/g, ' ').replace(/^\| /, '')
  const line = `  ${column}: ${union}`
  if (line.length <= LINE_WIDTH) return `${comment}${line}\n`
  return `${comment}  ${column}:\n${union
    .split(' | ')
    .map((one) => `    | ${one}\n`)
    .join('')}`
}

/** Adds the import of Kysely's `Generated` if the file needs one. */
function importGenerated(file: File): void {
  if (!file.text.includes('Generated<')) return
  const [line, names = ''] = /^import type \{ (.*) \} from 'kysely'$/m.exec(file.text) ?? []
  const wanted = [...new Set([...names.split(', '), 'Generated'])].filter((name) => name !== '').sort()
  const written = `import type { ${wanted.join(', ')} } from 'kysely'`
  const next = /^import .* from '[^@].*/m.exec(file.text)?.[0]
  if (line !== undefined) replace(file, line, written)
  else if (next !== undefined) replace(file, next, `${written}\n${next}`)
  else replace(file, `${HEAD}\n`, `${HEAD}\n\n${written}\n`)
}
