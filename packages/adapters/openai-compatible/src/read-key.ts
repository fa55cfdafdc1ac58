import { readFile } from 'node:fs/promises'

const MAX_KEY_LENGTH = 4_096

/**
 * Reads the key in a file, without its line end. Returns undefined if the file cannot be read, or contains anything other than one line of printable
 * ASCII.
 */
export async function readKey(file: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const key = (await readFile(file, { encoding: 'utf8', signal })).replace(/\r?\n$/, '')
    return key.length <= MAX_KEY_LENGTH && /^[\x21-\x7e]+$/.test(key) ? key : undefined
  } catch {
    return undefined
  }
}
