import { ConfigError } from './config.ts'
import { AppError } from './lib/app-error.ts'
import { storeFailure } from './store/failures.ts'

const unwritableFolder = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'EEXIST',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
])

/** Why a process could not start: one sentence that says what to do, for what an operator can mend; the whole error for what is a bug. */
export function failureSentence(thrown: unknown): string {
  if (thrown instanceof ConfigError) return `The configuration is wrong: ${thrown.message}`
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  if (code === 'EADDRINUSE') return 'The port of the API is in use by another program. Stop that, or set API_PORT.'
  if (thrown instanceof Error && unwritableFolder.has(code)) {
    return `The data folder cannot be written: ${thrown.message}. Set DATA_DIR to a folder that this user may write.`
  }
  const error = storeFailure(thrown)
  if (error instanceof AppError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
