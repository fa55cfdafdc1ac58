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
import { syncFolder } from './durable-files.ts'

/** Made on the first start under `data/keys`, readable by the service alone; never in the database, so that the file alone can't be forged. */
export type Keys = {
  /** signs audit checkpoints (Ed25519) */
  auditSigning: KeyObject
  /** a key of its own for each purpose, derived from one secret */
  derive(purpose: 'cursor' | 'csrf' | 'totp' | 'recovery code' | 'device' | 'fingerprint' | 'tombstone'): Buffer
}

const SECRET_BYTES = 32
const KEYS_FOLDER = 'keys'
const keyFiles = ['server-secret', 'audit-signing.pem'] as const

/** The keys of a data folder; undefined when it has none, and none are made. */
export function findKeys(dataDir: string): Keys | undefined {
  const folder = join(dataDir, KEYS_FOLDER)
  const isThere = keyFiles.every((name) => existsSync(join(folder, name)))
  return isThere ? openKeys(dataDir) : undefined
}

/** Tells keys apart without telling anything of them: what a backup says of the keys that its store needs. */
export function keysFingerprint(keys: Keys): string {
  const publicKey = createPublicKey(keys.auditSigning).export({ type: 'spki', format: 'der' })
  return hash('sha256', Buffer.concat([keys.derive('fingerprint'), publicKey]), 'hex')
}

export function openKeys(dataDir: string): Keys {
  const folder = join(dataDir, KEYS_FOLDER)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const secret = Buffer.from(
    readOrMake(join(folder, 'server-secret'), () => randomBytes(SECRET_BYTES).toString('hex')),
    'hex',
  )
  if (secret.length !== SECRET_BYTES)
    throw new Error(`${join(folder, 'server-secret')} is damaged: it must hold ${SECRET_BYTES} bytes in hexadecimal.`)
  const auditSigning = createPrivateKey(
    readOrMake(join(folder, 'audit-signing.pem'), () =>
      generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ),
  )
  return {
    auditSigning,
    derive: (purpose) => Buffer.from(hkdfSync('sha256', secret, '', purpose, SECRET_BYTES)),
  }
}

/**
 * The key appears under its name whole and durable or not at all, so that a crash cannot leave half of one; and a link
 * never replaces, so that of two processes starting at once one makes the key and both read the same.
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
