import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../../lib/app-error.ts'
import { syncFolder } from './durable-files.ts'
import { KEYS_FOLDER } from './store-files.ts'

/**
 * Secrets of the store. They are created at the first start under `data/keys`, readable by the service only. They are never in the database, so that
 * a copy of the database file alone does not suffice to forge its signatures.
 */
export type Keys = {
  /** signs audit checkpoints (Ed25519) */
  auditSigning: KeyObject
  /**
   * hashes suppressed values that are not stored; never replaced, because the values could not be hashed again with another key
   * (docs/decisions/tombstones.md)
   */
  tombstones: Buffer
  /** names of key files that were missing; opening created new keys for them, so data that depended on the lost keys is invalid */
  missing: readonly KeyFile[]
  /** derives a separate key for each purpose from one secret */
  derive(
    purpose:
      | 'cursor'
      | 'hidden cursor'
      | 'csrf'
      | 'totp'
      | 'recovery code'
      | 'device'
      | 'fingerprint'
      | 'receipt'
      | 'company sign-in',
  ): Buffer
}

const SECRET_BYTES = 32
const SERVER_SECRET = 'server-secret'
const AUDIT_SIGNING = 'audit-signing.pem'
const TOMBSTONE_SECRET = 'tombstone-secret'
type KeyFile = typeof SERVER_SECRET | typeof AUDIT_SIGNING | typeof TOMBSTONE_SECRET

/** Returns the keys of a data folder without creating them; undefined if it has none. */
export function findKeys(dataDir: string): Keys | undefined {
  const folder = join(dataDir, KEYS_FOLDER)
  const isThere = [SERVER_SECRET, AUDIT_SIGNING].every((name) => existsSync(join(folder, name)))
  return isThere ? readKeys(folder, readOr) : undefined
}

/** Returns a hash that identifies keys without revealing them. A backup contains the fingerprint of the keys that its store needs. */
export function keysFingerprint(keys: Keys): string {
  const publicKey = createPublicKey(keys.auditSigning).export({ type: 'spki', format: 'der' })
  return hash('sha256', Buffer.concat([keys.derive('fingerprint'), publicKey]), 'hex')
}

export function openKeys(dataDir: string): Keys {
  const folder = join(dataDir, KEYS_FOLDER)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return readKeys(folder, readOrMake)
}

function readKeys(folder: string, read: (file: string, make: () => string) => string): Keys {
  const missing: KeyFile[] = []
  const textIn = (name: KeyFile, make: () => string) =>
    read(join(folder, name), () => {
      missing.push(name)
      return make()
    })
  const secretIn = (name: KeyFile, make: () => Buffer) => {
    const secret = Buffer.from(
      textIn(name, () => make().toString('hex')),
      'hex',
    )
    if (secret.length === SECRET_BYTES) return secret
    throw new AppError(
      'conflict',
      `${join(folder, name)} is damaged: it must hold ${SECRET_BYTES} bytes in hexadecimal.`,
    )
  }
  const secret = secretIn(SERVER_SECRET, () => randomBytes(SECRET_BYTES))
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', purpose, SECRET_BYTES))
  return {
    auditSigning: createPrivateKey(
      textIn(AUDIT_SIGNING, () =>
        generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      ),
    ),
    // Derived from the server secret of the time when the file was created, so that a lost file can be recreated from the same server secret.
    tombstones: secretIn(TOMBSTONE_SECRET, () => derive('tombstone')),
    missing,
    derive,
  }
}

function readOr(file: string, otherwise: () => string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : otherwise()
}

/**
 * Reads a key file, or creates it. The file appears under its name complete and durable or not at all, so that a crash cannot leave half a key. It
 * gets its name by a hard link, which never replaces a file. If two processes start at once, one creates the key and both read the same key.
 */
function readOrMake(file: string, make: () => string): string {
  if (!existsSync(file)) {
    const draft = `${file}.${process.pid}`
    const handle = openSync(draft, 'w', 0o600)
    writeSync(handle, make())
    fsyncSync(handle)
    closeSync(handle)
    try {
      linkSync(draft, file)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
    unlinkSync(draft)
    syncFolder(dirname(file))
  }
  return readFileSync(file, 'utf8')
}
