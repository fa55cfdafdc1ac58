import { closeSync, fsyncSync, openSync } from 'node:fs'

/** What was written to the file survives a loss of power. */
export function syncFile(file: string): void {
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** So do the names in the folder: syncing a file does not sync its name. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
