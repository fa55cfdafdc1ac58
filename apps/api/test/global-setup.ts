import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folder that Linux keeps in memory. The stores of tests are there because each commit waits for the disk, at the cost of processor time too. */
const MEMORY_FOLDER = '/dev/shm'
/** Free space that the files of all tests may need. Containers have 64 MB by default, which is too little. */
const MEMORY_NEEDED_BYTES = 4 * 1024 ** 3

/**
 * Creates one folder for all files of the tests and deletes it after the run. Test processes cannot do this themselves, because they are killed when
 * they are done.
 */
export default function setup(): () => void {
  const before = process.env.TMPDIR
  const folder = mkdtempSync(join(before ?? quickFolder(), 'prospect-tests-'))
  process.env.TMPDIR = folder
  return () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns a folder in memory if enough memory is free. */
function quickFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
    accessSync(MEMORY_FOLDER, constants.W_OK)
    return bavail * bsize > MEMORY_NEEDED_BYTES ? MEMORY_FOLDER : tmpdir()
  } catch {
    // This machine has no file system in memory.
    return tmpdir()
  }
}
