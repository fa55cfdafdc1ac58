import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { ConfigError, readConfig, wholeNumber } from '../config.ts'
import {
  type BackupSettings,
  KEEP_DAYS_DEFAULT,
  KEEP_MONTHS_DEFAULT,
  requireRecipients,
} from '../rooms/backup/backup.ts'
import { dataDirEnvironment } from './command.ts'

const environmentSchema = z.object({
  BACKUP_RECIPIENTS: z.string().optional(),
  BACKUP_RECIPIENTS_FILE: z.string().optional(),
  BACKUP_KEEP_DAYS: wholeNumber(1, 3_650).default(KEEP_DAYS_DEFAULT),
  BACKUP_KEEP_MONTHS: wholeNumber(0, 120).default(KEEP_MONTHS_DEFAULT),
  BACKUP_COPY_TO: z.string().optional(),
  BACKUP_HOOK: z.string().optional(),
})
type Environment = z.infer<typeof environmentSchema>

export type BackupPlaces = { dataDir: string; shelf: string }

/** Returns the settings for reading backups: the store and its backup folder. Errors: ConfigError. */
export function readBackupPlaces(): BackupPlaces {
  const { dataDir, backupDir: shelf } = readConfig(dataDirEnvironment())
  return { dataDir, shelf }
}

/** Returns the settings for taking a backup. Errors: ConfigError, whose message never repeats a value that may be a secret key. */
export function readBackupSettings(): BackupSettings {
  const values = environment()
  return {
    ...readBackupPlaces(),
    recipients: recipientsOf(values),
    policy: { keepDays: values.BACKUP_KEEP_DAYS, keepMonths: values.BACKUP_KEEP_MONTHS },
    copyTo: values.BACKUP_COPY_TO,
    hook: values.BACKUP_HOOK,
  }
}

/** Parses the environment. An empty variable counts as absent, because the stack passes unset variables as empty. */
function environment(): Environment {
  const set = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''))
  const parsed = environmentSchema.safeParse(set)
  if (parsed.success) return parsed.data
  throw new ConfigError(parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join(' '))
}

function recipientsOf({ BACKUP_RECIPIENTS: text, BACKUP_RECIPIENTS_FILE: file }: Environment): string[] {
  if (text !== undefined && file !== undefined) {
    throw new ConfigError('BACKUP_RECIPIENTS and BACKUP_RECIPIENTS_FILE are both set; remove one.')
  }
  if (text === undefined && file === undefined) {
    throw new ConfigError(
      'BACKUP_RECIPIENTS is missing: backups are encrypted to public keys (age1…). Create a pair with backup new-identity, on another machine.',
    )
  }
  try {
    return requireRecipients(text ?? readFileSync(file ?? '', 'utf8'))
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigError(`${file === undefined ? 'BACKUP_RECIPIENTS' : 'BACKUP_RECIPIENTS_FILE'}: ${message}`, {
      cause,
    })
  }
}
