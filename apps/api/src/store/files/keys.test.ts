import { hkdfSync } from 'node:crypto'
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-store.ts'
import { findKeys, keysFingerprint, openKeys } from './keys.ts'

test('keys are read without being created', () => {
  const dataDir = temporaryFolder()
  expect(findKeys(dataDir)).toBeUndefined()
  expect(existsSync(join(dataDir, 'keys'))).toBe(false)
  openKeys(dataDir)
  expect(findKeys(dataDir)).toBeDefined()
  rmSync(join(dataDir, 'keys/tombstone-secret'))
  expect(findKeys(dataDir)?.tombstones).toEqual(openKeys(dataDir).tombstones)
  rmSync(join(dataDir, 'keys/tombstone-secret'))
  findKeys(dataDir)
  expect(existsSync(join(dataDir, 'keys/tombstone-secret'))).toBe(false)
  rmSync(join(dataDir, 'keys/audit-signing.pem'))
  expect(findKeys(dataDir)).toBeUndefined()
})

test('a fingerprint is the same for a copy of the keys, and differs when either key differs', () => {
  const [dataDir, copy] = [temporaryFolder(), temporaryFolder()]
  const fingerprint = keysFingerprint(openKeys(dataDir))
  expect(fingerprint).toMatch(/^[0-9a-f]{64}$/)
  for (const name of ['server-secret', 'audit-signing.pem']) {
    cpSync(join(dataDir, 'keys'), join(copy, 'keys'), { recursive: true })
    expect(keysFingerprint(openKeys(copy))).toBe(fingerprint)
    rmSync(join(copy, 'keys', name))
    expect(keysFingerprint(openKeys(copy))).not.toBe(fingerprint)
    rmSync(join(copy, 'keys'), { recursive: true })
  }
})

test('a new server secret leaves the key of tombstones unchanged', () => {
  const dataDir = temporaryFolder()
  const before = openKeys(dataDir)
  rmSync(join(dataDir, 'keys/server-secret'))
  const after = openKeys(dataDir)
  expect(after.derive('cursor')).not.toEqual(before.derive('cursor'))
  expect(after.tombstones).toEqual(before.tombstones)
  expect(findKeys(dataDir)?.tombstones).toEqual(before.tombstones)
})

test('derives a missing key of tombstones from the server secret that it was made from', () => {
  const dataDir = temporaryFolder()
  openKeys(dataDir)
  rmSync(join(dataDir, 'keys/tombstone-secret'))
  const secret = Buffer.from(readFileSync(join(dataDir, 'keys/server-secret'), 'utf8'), 'hex')
  const derived = Buffer.from(hkdfSync('sha256', secret, '', 'tombstone', 32))
  expect(openKeys(dataDir).tombstones).toEqual(derived)
})
