import { join } from 'node:path'
import type { Clock } from '../src/lib/clock.ts'
import { newIdentity } from '../src/rooms/backup/age-keys.ts'
import { type BackupSettings, makeBackup } from '../src/rooms/backup/make-backup.ts'
import { temporaryFolder } from './temporary-store.ts'

/** Creates a backup folder, and a key pair that opens its backups. */
export async function backupPlace(dataDir: string, clock: Clock) {
  const { identity, recipient } = await newIdentity()
  const settings: BackupSettings = {
    dataDir,
    shelf: join(temporaryFolder(), 'shelf'),
    recipients: [recipient],
    policy: { keepDays: 30, keepMonths: 12 },
    copyTo: undefined,
    hook: undefined,
  }
  const backup = (changed: Partial<BackupSettings> = {}) => makeBackup({ ...settings, ...changed }, clock, () => {})
  return { identity, identities: [identity], recipient, settings, shelf: settings.shelf, backup }
}
