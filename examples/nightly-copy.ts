import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, getBusiness, listBusinesses, listChanges } from '@prospect/api-client'

/*
 * Copies the prospects of a workspace into a folder, one JSON file each. The first run copies all of them; each later run copies those that changed,
 * and deletes those that are gone. Run it at night, or every minute.
 *
 *   node nightly-copy.ts <folder>
 *
 * The token needs the permission "See prospects". Contact values of a record that becomes do not contact disappear from the copy at the next run,
 * unless the token may see them.
 */

const PAGE = 200
const CHANGES = 1_000

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Usage: node nightly-copy.ts <folder>')
  process.exit(2)
}
connect({ baseUrl: process.env.PROSPECT_URL ?? 'http://localhost:8080', token: process.env.PROSPECT_TOKEN })
const prospects = join(folder, 'prospects')
const cursorFile = join(folder, 'cursor')
mkdirSync(prospects, { recursive: true })

const isFollowed = existsSync(cursorFile) && (await copyChanged(readFileSync(cursorFile, 'utf8')))
if (!isFollowed) await copyAll()

/** Copies all prospects. The cursor is from before the first page, so that no change is missed meanwhile. */
async function copyAll(): Promise<void> {
  const { data: start, error: refusal } = await listChanges()
  if (refusal !== undefined) throw new Error(refusal.detail)
  const gone = new Set(readdirSync(prospects))
  let count = 0
  for (let cursor: string | undefined; ; ) {
    const { data, error } = await listBusinesses({
      query: { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) },
    })
    if (error !== undefined) throw new Error(error.detail)
    for (const business of data.items) {
      await copyOne(business.id)
      gone.delete(`${business.id}.json`)
    }
    count += data.items.length
    if (data.page.nextCursor === null) break
    cursor = data.page.nextCursor
  }
  for (const file of gone) rmSync(join(prospects, file))
  write(cursorFile, start.nextCursor)
  console.log(`Copied all ${count} prospects.`)
}

/** Copies what changed after the cursor. Returns false if the cursor is no longer valid, so that everything must be copied again. */
async function copyChanged(after: string): Promise<boolean> {
  let cursor = after
  let count = 0
  for (let hasMore = true; hasMore; ) {
    const { data, error } = await listChanges({ query: { after: cursor, limit: CHANGES } })
    if (error?.code === 'cursor_expired' || error?.code === 'cursor_ahead') return false
    if (error !== undefined) throw new Error(error.detail)
    const changed = new Set(data.items.flatMap(({ businessId }) => (businessId === null ? [] : [businessId])))
    for (const id of changed) await copyOne(id)
    count += changed.size
    // After the page is copied: a run that is interrupted copies the page again.
    cursor = data.nextCursor
    write(cursorFile, cursor)
    hasMore = data.hasMore
  }
  console.log(`Copied ${count} changed prospects.`)
  return true
}

async function copyOne(businessId: string): Promise<void> {
  const file = join(prospects, `${businessId}.json`)
  const { data, error, response } = await getBusiness({ path: { businessId } })
  if (response?.status === 404) return rmSync(file, { force: true })
  if (error !== undefined) throw new Error(error.detail)
  write(file, `${JSON.stringify(data, null, 2)}\n`)
}

/** Replaces a file at once, so that a reader never sees half of it. */
function write(file: string, text: string): void {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}
