import { expect, test } from 'vitest'
import { sentenceOf, stopOf } from '../src/store-error.ts'

/** Creates an error as the servers were observed to send it. */
const said = (errno: number, message: string) => Object.assign(new Error(message), { errno })

test('a full disk is told as such, in whichever words the server has for it', () => {
  const seen = [
    said(1005, 'Can\'t create table `s`.`attachments` (errno: 135 "No more room in record file")'),
    said(1114, "The table 'credentials' is full"),
    said(3, 'Error writing file \'x\' (Errcode: 28 "No space left on device")'),
  ]
  for (const error of seen) expect(sentenceOf(error)).toMatch(/disk.* is full/)
})

test('what is no error of the driver is thrown on, and only the gate of the script counts as a stop', () => {
  expect(() => sentenceOf(new TypeError('a bug'))).toThrow('a bug')
  expect(stopOf(said(1286, "Unknown storage engine 'UPGRADE STOPPED, NOTHING WAS CHANGED: it's so.'"))).toBe("it's so.")
  expect(stopOf(said(1286, "Unknown storage engine 'ROCKSDB'"))).toBeUndefined()
})
