import { type FileHandle, open } from 'node:fs/promises'
import { sha256Of } from '../../lib/hashing.ts'

/** Opens a file after verifying its hash. `refusal`: returns the error for a file that is missing, or whose content is not the written one. */
export async function openUnaltered(
  path: string,
  sha256: string | null,
  refusal: (fault: 'missing' | 'altered') => Error,
): Promise<FileHandle> {
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw refusal('missing')
  })
  try {
    if ((await sha256Of(handle.createReadStream({ start: 0, autoClose: false }))) === sha256) return handle
    throw refusal('altered')
  } catch (error) {
    await handle.close()
    throw error
  }
}
