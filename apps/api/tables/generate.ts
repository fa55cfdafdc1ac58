import { writeFileSync } from 'node:fs'
import { absolutePath, committedFiles, generatedFiles } from './table-files.ts'

/*
 * Writes the row types of all tables from the migrated schema (docs/decisions/row-types.md). A test fails if a committed file differs from what this
 * script writes.
 */
const committed = committedFiles()
for (const { path, text } of generatedFiles(committed)) {
  if (committed.some((file) => file.path === path && file.text === text)) continue
  writeFileSync(absolutePath(path), text)
  console.log(`apps/api/src/${path}`)
}
