import { Stopped } from '@prospect/http-exchange/stopped'
import { expect, test } from 'vitest'
import { isSameAddress, judgeAddresses } from './judge-addresses.ts'

test('an address of this machine is unsafe, in every spelling', () => {
  const own = ['196.10.100.1', '2c0f:fb50:4002::1']
  expect(judgeAddresses(['196.10.100.2', '196.10.100.1'], own)).toEqual({ address: '196.10.100.1', isSafe: false })
  expect(judgeAddresses(['2C0F:FB50:4002:0:0:0:0:1'], own)).toMatchObject({ isSafe: false })
  expect(judgeAddresses(['196.10.100.2'], own)).toEqual({ address: '196.10.100.2', isSafe: true })
})

test('no address is a failure of the name', () => {
  expect(() => judgeAddresses([], [])).toThrow(Stopped)
})

test.each([
  ['2c0f::1', '2C0F:0:0:0:0:0:0:1', true],
  ['8.8.8.8', '8.8.8.8', true],
  ['8.8.8.8', '8.8.4.4', false],
  ['8.8.8.8', '::ffff:8.8.8.8', false],
  ['', '', false],
  ['name.example', 'name.example', false],
])('%s and %s are the same: %s', (one, other, isSame) => {
  expect(isSameAddress(one, other)).toBe(isSame)
})
