import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { UPLOADS_FOLDER } from '../../../store/files/store-files.ts'
import { folderLimits, openTemporaryFiles } from '../temporary-files.ts'

const somebody = (tenantId = newId()) => ({ tenantId, userId: newId() })

function dataFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'csv-temporary-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Creates files as a process with this id leaves them: a folder with an upload. */
function leftBy(dataDir: string, pid: number): string {
  const path = join(dataDir, UPLOADS_FOLDER, `${pid}.left`)
  mkdirSync(join(path, 'upload'), { recursive: true })
  writeFileSync(join(path, 'upload', 'upload.csv'), 'name\n')
  return path
}

const UPLOADING = `
  const { openTemporaryFiles } = await import(process.argv[1])
  const { writeFileSync } = await import('node:fs')
  writeFileSync(openTemporaryFiles(process.argv[2]).folder({}).path + '/upload.csv', 'name')
  console.log('written')
  setInterval(() => {}, 1000)`

test('the next start deletes the files of a process killed while reading', async () => {
  const dataDir = dataFolder()
  const module = join(import.meta.dirname, '../temporary-files.ts')
  const child = spawn(process.execPath, ['--input-type=module', '--eval', UPLOADING, module, dataDir])
  await once(child.stdout, 'data')
  openTemporaryFiles(dataDir)
  expect(readdirSync(join(dataDir, UPLOADS_FOLDER))).toHaveLength(1)
  child.kill('SIGKILL')
  await once(child, 'exit')
  openTemporaryFiles(dataDir)
  expect(readdirSync(join(dataDir, UPLOADS_FOLDER))).toEqual([])
})

test('a folder with our own number is from an earlier process: in a container every process has the same number', () => {
  const dataDir = dataFolder()
  const left = leftBy(dataDir, process.pid)
  openTemporaryFiles(dataDir)
  expect(existsSync(left)).toBe(false)
})

test('a folder is deleted with its upload, and all folders with the process', () => {
  const dataDir = dataFolder()
  const files = openTemporaryFiles(dataDir)
  const [one, other] = [files.folder(somebody()), files.folder(somebody())]
  one.remove()
  expect([existsSync(one.path), existsSync(other.path)]).toEqual([false, true])
  files.removeAll()
  expect(readdirSync(join(dataDir, UPLOADS_FOLDER))).toEqual([])
})

test('the number of folders is limited; a deleted one makes room', () => {
  const files = openTemporaryFiles(dataFolder())
  const open = Array.from({ length: folderLimits.inAll }, () => files.folder(somebody()))
  const full = expect.objectContaining({ code: 'unavailable', details: { reason: 'csv_uploads_full' } })
  expect(() => files.folder(somebody())).toThrow(full)
  open[0]?.remove()
  expect(existsSync(files.folder(somebody()).path)).toBe(true)
  expect(() => files.folder(somebody())).toThrow(full)
})

test('one person or tenant cannot take all places', () => {
  const files = openTemporaryFiles(dataFolder())
  const [one, stranger] = [somebody(), somebody()]
  const full = (limit: object) =>
    expect.objectContaining({ code: 'queue_full', details: expect.objectContaining(limit) })
  for (let n = 0; n < folderLimits.ofAPerson; n++) files.folder(one)
  expect(() => files.folder(one)).toThrow(full({ limit: 'csv_uploads', size: 4, max: 4 }))
  for (let n = folderLimits.ofAPerson; n < folderLimits.ofATenant; n++) files.folder(somebody(one.tenantId))
  const fullTenant = full({ limit: 'csv_uploads_of_workspace', size: 8, max: 8 })
  expect(() => files.folder(somebody(one.tenantId))).toThrow(fullTenant)
  // The first of these is the same person in another tenant.
  for (const other of [{ ...one, tenantId: stranger.tenantId }, stranger]) expect(files.folder(other).path).toBeTruthy()
})
