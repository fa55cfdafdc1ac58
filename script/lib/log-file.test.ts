import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLogFile } from './log-file.ts'

let folder: string
let path: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prospect-log-'))
  path = join(folder, 'logs', 'api.log')
})
afterEach(() => rm(folder, { recursive: true }))

test('the previous log is kept as .1, and the one before it is deleted', async () => {
  for (const run of ['first', 'second', 'third']) openLogFile(path).write(Buffer.from(`${run}\n`))

  expect(await readFile(path, 'utf8')).toBe('third\n')
  expect(await readFile(`${path}.1`, 'utf8')).toBe('second\n')
  expect(await readdir(join(folder, 'logs'))).toHaveLength(2)
})

test('neither a log nor its .1 exceeds its bound', async () => {
  const log = openLogFile(path, 10)
  for (const line of ['aaaa\n', 'bbbb\n', 'cccc\n', 'dddd\n', 'eeee\n']) log.write(Buffer.from(line))

  expect(await readFile(path, 'utf8')).toBe('eeee\n')
  expect(await readFile(`${path}.1`, 'utf8')).toBe('cccc\ndddd\n')
})

test('a log that cannot be written stops nothing', async () => {
  const log = openLogFile(path)
  await rm(join(folder, 'logs'), { recursive: true })
  await writeFile(join(folder, 'logs'), 'a file in place of the folder')

  log.write(Buffer.from('lost\n'))

  expect(log.lastWords()).toBe(`It wrote nothing to ${path}.`)
})

test('the last words are the end of the log', () => {
  const log = openLogFile(path)
  for (let line = 1; line <= 20; line++) log.write(Buffer.from(`line ${line}\n`))

  expect(log.lastWords()).toMatch(/^The end of .*api\.log:\n\nline 6\n/)
  expect(log.lastWords()).toMatch(/line 20$/)
})
