import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../lib/app-error.ts'
import { systemClock } from '../lib/clock.ts'
import {
  type BackupResult,
  type BackupSettings,
  checkSealed,
  isOnDiskOfStore,
  listBackups,
  makeBackup,
  newIdentity,
  openInScratch,
  type RestoreResult,
  readManifest,
  recordCopy,
  requireIdentities,
  restore,
  restoreDrill,
} from '../rooms/backup/backup.ts'
import { migrations } from '../rooms/migrations.ts'
import { findKeys } from '../store/files/keys.ts'
import { type BackupPlaces, readBackupPlaces, readBackupSettings } from './backup-config.ts'
import { type Command, print, readOptions, required, say, UsageError } from './command.ts'
import { progressLines } from './progress-lines.ts'

/** Exit code if the backup is complete but exists only on this host. */
const NOT_TAKEN_OFF = 3

export const backupCommands: Command[] = [
  {
    name: 'backup',
    options: '',
    does: 'takes a backup of the store while the API runs, encrypted to BACKUP_RECIPIENTS, into BACKUP_DIR; deletes backups that the retention policy no longer keeps; prints its folder. Exits with 3 when it could not be copied off this host',
    givesWay: true,
    run: async (args) => {
      readOptions(args, {})
      const settings = readBackupSettings()
      const result = await makeBackup(settings, systemClock, progressLines())
      print(result.folder)
      for (const sentence of backupSentences(result, settings)) say(sentence)
      return result.offHost?.ok === false ? NOT_TAKEN_OFF : 0
    },
  },
  {
    name: 'backup list',
    options: '',
    does: 'prints folder, time, schema version and size of each backup, the newest first',
    run: async (args) => {
      readOptions(args, {})
      const { shelf } = readBackupPlaces()
      const backups = listBackups(shelf)
      if (backups.length === 0) say(`There is no backup in ${shelf}.`)
      for (const { folder, manifest } of backups) {
        if (manifest === undefined) print(`${folder}\tits manifest cannot be read`)
        else
          print(
            [
              folder,
              manifest.takenAt,
              manifest.schemaVersion,
              manifest.files.reduce((sum, { bytes }) => sum + bytes, 0),
            ].join('\t'),
          )
      }
      return 0
    },
  },
  {
    name: 'backup verify',
    options: '[--from <folder>] [--identity <file>] [--scratch <folder>]',
    does: 'checks a backup (default: the newest): signature and checksums; with the identity also its content, opened in a scratch folder. Changes nothing',
    givesWay: true,
    run: async (args) => {
      const options = readOptions(args, {
        from: { type: 'string' },
        identity: { type: 'string' },
        scratch: { type: 'string', default: tmpdir() },
      })
      const places = readBackupPlaces()
      const folder = backupOf(options.from, places)
      const keys = findKeys(places.dataDir)
      if (options.identity === undefined) {
        const { id } = await checkSealed(folder, keys, progressLines())
        print(`${id}\tsealed files intact`)
        say('It was not opened: that requires --identity.')
      } else {
        const identities = readIdentities(options.identity)
        const { id } = await openInScratch(
          { folder, identities, keys, migrations, scratch: options.scratch },
          progressLines(),
        )
        print(`${id}\twhole`)
      }
      if (keys === undefined) say('The keys to check the signature of its manifest are not here.')
      return 0
    },
  },
  {
    name: 'backup copied',
    options: '[--from <folder>] --by <word>',
    does: 'records that a program, named in one word, copied a backup (default: the newest) off this host, for the probe, the metrics and the alerts. Copies nothing',
    run: async (args) => {
      const options = readOptions(args, { from: { type: 'string' }, by: { type: 'string' } })
      const places = readBackupPlaces()
      const manifest = readManifest(backupOf(options.from, places))
      const { backup, takenAt } = recordCopy(places.shelf, manifest, required(options.by, '--by'), systemClock)
      print(`${backup}\t${takenAt}`)
      return 0
    },
  },
  {
    name: 'backup new-identity',
    options: '',
    does: 'prints a new secret key, for another machine than the server, and on standard error the public key for BACKUP_RECIPIENTS',
    run: async (args) => {
      readOptions(args, {})
      const { identity, recipient } = await newIdentity()
      print(identity)
      say(`Public key: ${recipient}`)
      say('Store the secret key off the server, in two places: without it no backup can be opened.')
      return 0
    },
  },
  {
    name: 'restore',
    options: '--from <folder> --identity <file> [--keys-lost]',
    does: 'replaces the store by that of a backup, and keeps the former one; the API must be stopped. Ends all sessions',
    run: async (args) => {
      const options = readOptions(args, {
        from: { type: 'string' },
        identity: { type: 'string' },
        'keys-lost': { type: 'boolean', default: false },
      })
      const places = readBackupPlaces()
      const folder = backupOf(required(options.from, '--from'), places)
      const identities = readIdentities(required(options.identity, '--identity'))
      const { dataDir } = places
      const result = await restore(
        { dataDir, folder, identities, migrations, keysLost: options['keys-lost'] },
        systemClock,
        progressLines(),
      )
      print(result.manifest.id)
      for (const sentence of restoreSentences(result)) say(sentence)
      return 0
    },
  },
  {
    name: 'restore-drill',
    options: '--identity <file> [--from <folder>] [--scratch <folder>]',
    does: 'restores a backup (default: the newest) in a scratch folder, prints the results with their times as JSON, and deletes the folder; the store is not touched',
    givesWay: true,
    run: async (args) => {
      const options = readOptions(args, {
        from: { type: 'string' },
        identity: { type: 'string' },
        scratch: { type: 'string' },
      })
      const places = readBackupPlaces()
      const identities = readIdentities(required(options.identity, '--identity'))
      const folder = backupOf(options.from, places)
      const scratch = options.scratch ?? tmpdir()
      const result = await restoreDrill(
        { ...places, folder, identities, migrations, scratch },
        systemClock,
        progressLines(),
      )
      print(JSON.stringify(result, null, 2))
      return result.brokenChains === 0 ? 0 : 1
    },
  },
]

/** Returns the folder of a backup, given by its path or by its name. By default returns the newest backup. */
function backupOf(typed: string | undefined, { shelf }: BackupPlaces): string {
  if (typed !== undefined) return existsSync(typed) ? typed : join(shelf, typed)
  const newest = listBackups(shelf)[0]
  if (newest === undefined) throw new AppError('not_found', `There is no backup in ${shelf}.`)
  return newest.folder
}

function readIdentities(file: string): string[] {
  try {
    return requireIdentities(readFileSync(file, 'utf8'))
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new UsageError(`--identity names ${file}, which cannot be read.`, { cause })
  }
}

function backupSentences({ removed, offHost, clockWentBack }: BackupResult, settings: BackupSettings): string[] {
  return [
    ...(removed > 0 ? [`${removed} older backups were deleted by the retention policy.`] : []),
    ...(clockWentBack ? ['An older backup has a later time: was the clock set back? Nothing was deleted.'] : []),
    ...(offHost === undefined
      ? [
          'Warning: this backup exists on this host only and is lost with it until it is copied: script/off-host, BACKUP_COPY_TO or BACKUP_HOOK.',
        ]
      : []),
    ...(offHost?.ok === true && isOnDiskOfStore(settings)
      ? [
          `${settings.copyTo} is on the disk of the store: is the other disk mounted? A copy there is lost with this one.`,
        ]
      : []),
    ...(offHost?.ok === false
      ? [`It is complete, but was not copied off this host: ${offHost.reason} Nothing was deleted.`]
      : []),
  ]
}

function restoreSentences({
  manifest,
  kept,
  tenants,
  verifiedEvents,
  endedSessions,
  broken,
  carried,
  lacking,
}: RestoreResult): string[] {
  const lacks = (again: boolean) =>
    (lacking ?? [])
      .filter(({ mustBeDoneAgain }) => mustBeDoneAgain === again)
      .map(({ action, events }) => `${action} ${events}`)
      .join(', ')
  const [again, others] = [lacks(true), lacks(false)]
  return [
    `The store is as it was at ${manifest.takenAt}. Tenants: ${tenants}; audit events verified: ${verifiedEvents}; sessions ended: ${endedSessions}.`,
    ...broken.map(({ tenantId, reason }) => `The audit chain of ${tenantId} was broken already: ${reason}`),
    ...(kept === undefined ? [] : [`The former store is in ${kept}.`]),
    ...(carried === null
      ? [
          'Do-not-contact changes since then could not be taken over from it, or not all: repeat them before anybody works.',
        ]
      : Object.values(carried).every((number) => number === 0)
        ? []
        : [
            `Taken over from it, so that do not contact holds: suppression entries ${carried.suppressions}, blocks by hand ${carried.blocks}, hashes of values removed from blocked records ${carried.tombstones}.`,
          ]),
    ...(lacking === null
      ? [
          'The former store could not be read, so changes since the backup are unknown. Find out by other means: blocks, suppressions, erasures, disabled people, changed or reset passwords, removed or reset factors and renewed recovery codes.',
        ]
      : []),
    ...(again === '' ? [] : [`Missing since then, to be repeated before anybody works, by audit event: ${again}.`]),
    ...(others === '' ? [] : [`Other missing events: ${others}.`]),
  ]
}
