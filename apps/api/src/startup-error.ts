import { ConfigError } from './config.ts'
import { AppError } from './lib/app-error.ts'
import { storeFailure } from './store/engine/failures.ts'
import { storeErrorKind } from './store/engine/store-errors.ts'

/** Codes of system errors whose message names the file or folder. */
const notAllowed = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'])

/** Returns the reason why a process could not start: one sentence with the remedy if an operator can fix it, otherwise the whole error. */
export function startupErrorText(thrown: unknown): string {
  if (thrown instanceof ConfigError) return `The configuration is wrong: ${thrown.message}`
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  const listening = thrown instanceof Error && 'port' in thrown ? `Port ${thrown.port}` : 'A port'
  if (code === 'EADDRINUSE')
    return `${listening} is in use by another program. Stop that program, or set API_PORT or METRICS_PORT to another port.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'API_HOST or METRICS_HOST is not an address of this machine. Set it to one, such as 127.0.0.1.'
  if (code === 'EACCES' && thrown instanceof Error && 'syscall' in thrown && thrown.syscall === 'listen')
    return `${listening} may not be opened by this user. Set API_PORT or METRICS_PORT to a port above 1023.`
  // Below /proc no folder can be created, and the error is ENOENT.
  const isNoPlace = code === 'ENOENT' && thrown instanceof Error && 'syscall' in thrown && thrown.syscall === 'mkdir'
  if (thrown instanceof Error && (isNoPlace || notAllowed.has(code))) {
    return `A file or folder cannot be read or written: ${thrown.message}. Set DATA_DIR, or for backups BACKUP_DIR, to a folder that this user may write.`
  }
  // The message of the database names no file. It can only mean the store, because no other database is opened.
  const kind = storeErrorKind(thrown)
  if (thrown instanceof Error && (kind === 'cannot_open' || kind === 'read_only'))
    return `The data folder cannot be written: ${thrown.message}. Set DATA_DIR to a folder that this user may write.`
  const error = storeFailure(thrown)
  if (error instanceof AppError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
