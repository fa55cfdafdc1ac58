import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Seeded, seed } from './seed.ts'

const seededNote = z.object({
  email: z.string(),
  password: z.string(),
  ids: z.array(z.string()),
  people: z.array(z.string()),
  tookMs: z.number(),
})

/** Returns the seeded store of this size in a folder. Seeds it only if no earlier run did. */
export async function storeOf(
  home: string,
  rows: number,
  { withPeople = false }: { withPeople?: boolean } = {},
): Promise<{ dataDir: string; seeded: Seeded }> {
  const name = withPeople ? `${rows}-with-people` : String(rows)
  const dataDir = join(home, name)
  const note = join(home, `${name}.json`)
  if (existsSync(note)) return { dataDir, seeded: seededNote.parse(JSON.parse(readFileSync(note, 'utf8'))) }
  const seeded = await seed({ dataDir, rows, withPeople })
  console.log(`${rows} businesses seeded in ${(seeded.tookMs / 1000).toFixed(0)} s`)
  writeFileSync(note, JSON.stringify(seeded))
  return { dataDir, seeded }
}
