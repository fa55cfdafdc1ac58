import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * `npm run generate:rooms` writes the imports and the lists of all rooms in `facts.ts`, `index.ts` and `migrations.ts` of `src/rooms`, in the order
 * of `tiers.json`. The lists are code, not loaded from folders, so that names of permissions, actions and errors are types.
 */

const folder = join(import.meta.dirname, 'src/rooms')

const read = (file: string) => readFileSync(join(folder, file), 'utf8')

/** Names of all rooms by tier, lowest first. */
export const tiers: readonly (readonly string[])[] = JSON.parse(read('tiers.json')).tiers

/** A file with a list of one export of each room. `begins`: the line before the list, which ends before the next line that begins with a bracket. */
type RoomList = { file: string; role: string; begins: string }

const lists: readonly RoomList[] = [
  { file: 'facts.ts', role: 'facts', begins: 'const facts = [' },
  { file: 'index.ts', role: 'room', begins: 'export const rooms: readonly Room[] = [' },
  { file: 'migrations.ts', role: 'migrations', begins: '  storeMigrations,' },
]

/** Returns the name that `<room>.<role>.ts` exports, or undefined if the room has no such file. */
function exportOf(room: string, role: string): string | undefined {
  const file = `${room}/${room}.${role}.ts`
  if (!existsSync(join(folder, file))) return undefined
  const [, name] = /^export const (\w+)/m.exec(read(file)) ?? []
  if (name === undefined) throw new Error(`${file} exports nothing.`)
  return name
}

/** Returns the path of an import, in which a folder sorts before others that begin with its name, as Biome sorts imports. */
const sourceOf = (line: string) => (/ from '(.+)'$/.exec(line)?.[1] ?? '').replaceAll('/', '\0')
const isOfRooms = (line: string) => /^import .+ from '\.\/.+'$/.test(line)

/** Returns the text of a file with its imports and its list of rooms written again. */
function withRooms(text: string, { role, begins }: RoomList): string {
  const lines = text.split('\n').filter((line) => !new RegExp(`from '\\./([\\w-]+)/\\1\\.${role}\\.ts'$`).test(line))
  const found = tiers.map((tier) =>
    tier.flatMap((room) => {
      const name = exportOf(room, role)
      return name === undefined ? [] : [{ name, line: `import { ${name} } from './${room}/${room}.${role}.ts'` }]
    }),
  )
  const imports = [...lines.filter(isOfRooms), ...found.flat().map(({ line }) => line)].sort((a, b) =>
    sourceOf(a) < sourceOf(b) ? -1 : 1,
  )
  const rest = lines.filter((line) => !isOfRooms(line))
  const first = lines.findIndex(isOfRooms)
  const at = first === -1 ? rest.findLastIndex((line) => line.startsWith('import ')) + 1 : first
  const begin = rest.indexOf(begins)
  const end = rest.findIndex((line, place) => place > begin && line.startsWith(']'))
  if (begin === -1 || end === -1) throw new Error(`There is no line "${begins}" with a list after it.`)
  const items = found
    .filter((tier) => tier.length > 0)
    .map((tier) => tier.map(({ name }) => `  ${name},\n`).join(''))
    .join('\n')
  return [...rest.slice(0, at), ...imports, ...rest.slice(at, begin + 1), items + rest.slice(end).join('\n')].join('\n')
}

/** Returns each file with its present text and with the text that this program writes. */
export function roomLists(): { file: string; present: string; written: string }[] {
  return lists.map((list) => {
    const present = read(list.file)
    return { file: list.file, present, written: withRooms(present, list) }
  })
}

if (import.meta.main) for (const { file, written } of roomLists()) writeFileSync(join(folder, file), written)
