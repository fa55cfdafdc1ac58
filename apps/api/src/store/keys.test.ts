import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/temporary-store.ts'
import { findKeys, keysFingerprint, openKeys } from './keys.ts'

test('keys are looked for without being made', () => {
  const dataDir = temporaryFolder()
  expect(findKeys(dataDir)).toBeUndefined()
  expect(existsSync(join(dataDir, 'keys'))).toBe(false)
  openKeys(dataDir)
  expect(findKeys(dataDir)).toBeDefined()
  rmSync(join(dataDir, 'keys/audit-signing.pem'))
  expect(findKeys(dataDir)).toBeUndefined()
})

test('a fingerprint is the same for a copy of the keys, and another when either key is another', () => {
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
