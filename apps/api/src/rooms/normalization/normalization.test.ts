import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import {
  type Address,
  type BusinessName,
  isDescriptiveWord,
  isFreeMailDomain,
  isRoleMailbox,
  NORMALIZATION_VERSION,
  normalizeIdentifier,
  readAddress,
  readBusinessName,
  readIdentifier,
  registrableDomain,
  SUFFIX_LIST_VERSION,
  type TypedAddress,
} from './normalization.ts'

test('one business written by two people is read as the same', () => {
  const [a, b]: BusinessName[] = ['Karoo Plumbers (Pty) Ltd', 'KAROO PLUMBING CC'].map(readBusinessName)
  expect(a?.canonical).toBe(b?.canonical)
  const typed: TypedAddress[] = [
    { street: 'Hoofstraat 12', city: 'Port Elizabeth' },
    { street: '12 Main Street', city: 'Gqeberha' },
  ]
  const [here, there]: Address[] = typed.map(readAddress)
  expect(here).toEqual(there)
  expect(normalizeIdentifier('phone', '082 123 4567', 'ZA')).toEqual(normalizeIdentifier('phone', '+27 82 123 4567'))
  expect(readIdentifier('phone', '082 123 4567').candidates).toContain('+27821234567')
  expect([registrableDomain('www.karoo.co.za'), isFreeMailDomain('karoo.co.za'), isRoleMailbox('info')]).toEqual([
    'karoo.co.za',
    false,
    true,
  ])
  expect([isDescriptiveWord('karoo'), isDescriptiveWord('plumbing')]).toEqual([false, true])
  expect([NORMALIZATION_VERSION, SUFFIX_LIST_VERSION]).toEqual(['identifiers-9', expect.stringMatching(/^tldts-/)])
})

test('the large tables are loaded at first use, not at the start of the process', async () => {
  const door = join(import.meta.dirname, 'normalization.ts')
  const program = `
    await import(${JSON.stringify(door)})
    const { createRequire } = await import('node:module')
    const loaded = Object.keys(createRequire(import.meta.url).cache ?? {})
    console.log(loaded.filter((file) => /libphonenumber|tldts|any-ascii|free-email/.test(file)).length)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  expect(stdout.trim()).toBe('0')
})
