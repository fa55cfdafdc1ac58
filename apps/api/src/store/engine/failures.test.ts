import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-store.ts'
import { AppError } from '../../lib/app-error.ts'
import { requireRoomOnDisk, storeFailure } from './failures.ts'
import { receivedError, sentError, storeErrorKind } from './store-errors.ts'

describe('a failure of the disk', () => {
  test.each([
    ['ENOSPC', 'storage_full'],
    ['EDQUOT', 'storage_full'],
    ['EROFS', 'storage_read_only'],
    ['EIO', 'storage_failed'],
    ['EACCES', 'storage_failed'],
    ['EPERM', 'storage_failed'],
  ])('%s of a file beside the store is reported as %s, like one of the store', (code, reason) => {
    const error = Object.assign(new Error(`${code}: of /some/where, write`), { code })
    const told = storeFailure(error)
    expect(told).toBeInstanceOf(AppError)
    expect(told).toMatchObject({ code: 'unavailable', details: { reason, cause: error } })
    expect(told).not.toMatchObject({ message: expect.stringContaining('/some/where') })
  })

  test('a failure to allocate the shared memory of a store means a full disk', () => {
    const error = new BetterSqlite3.SqliteError('disk I/O error', 'SQLITE_IOERR_SHMSIZE')
    expect(storeFailure(error)).toMatchObject({ code: 'unavailable', details: { reason: 'storage_full' } })
  })

  test('is no failure', () => {
    for (const error of [new Error('ENOSPC'), Object.assign(new Error('x'), { code: 'ENOENT' }), 'ENOSPC', undefined])
      expect(storeFailure(error)).toBe(error)
  })
})

test('a disk with hardly any free space is full, although a row might still fit', async () => {
  const folder = temporaryFolder()
  await expect(requireRoomOnDisk(folder, Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({
    code: 'unavailable',
    details: { reason: 'storage_full' },
  })
  await requireRoomOnDisk(folder, 1)
})

describe('an error of the database has a kind', () => {
  test.each([
    ['SQLITE_BUSY_SNAPSHOT', 'busy'],
    ['SQLITE_IOERR_SHMSIZE', 'full'],
    ['SQLITE_IOERR_READ', 'failed'],
    ['SQLITE_NOTADB', 'damaged'],
    ['SQLITE_CONSTRAINT_PRIMARYKEY', 'unique'],
    ['SQLITE_CONSTRAINT_NOTNULL', 'constraint'],
    ['SQLITE_ERROR', 'other'],
  ])('%s is %s, also when a thread threw it', (code, kind) => {
    const error = new BetterSqlite3.SqliteError('told', code)
    expect(storeErrorKind(error)).toBe(kind)
    const received = receivedError(structuredClone(sentError(error)))
    expect(storeErrorKind(received)).toBe(kind)
    expect(received.message).toBe('told')
  })

  test('any other error has none', () => {
    for (const error of [new Error('SQLITE_BUSY'), Object.assign(new Error('x'), { code: 'SQLITE_BUSY' }), undefined])
      expect(storeErrorKind(error)).toBeUndefined()
    expect(storeErrorKind(receivedError(sentError(new Error('bug'))))).toBeUndefined()
  })
})
