import { expect, test } from 'vitest'
import { addressCheck, isAddressRange } from './addresses.rules.ts'

test('an address or a range in CIDR notation is accepted, any other text is not', () => {
  for (const text of ['10.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '2001:db8::1', '2001:db8::/32', '::/0'])
    expect([text, isAddressRange(text)]).toEqual([text, true])
  const others = [
    '',
    '10.0.0',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '2001:db8::/129',
    'host',
    '10.0.0.0/1e1',
    ' 10.0.0.1',
  ]
  for (const text of others) expect([text, isAddressRange(text)]).toEqual([text, false])
})

test('a range contains its addresses, also in the form of IPv6, and no others', () => {
  const isAllowed = addressCheck(['10.1.0.0/16', '192.168.7.7', '2001:db8:1::/48'])
  for (const address of ['10.1.0.0', '10.1.255.255', '192.168.7.7', '2001:db8:1::9', '::ffff:10.1.2.3'])
    expect([address, isAllowed(address)]).toEqual([address, true])
  for (const address of ['10.2.0.0', '192.168.7.8', '2001:db8:2::9', '::ffff:10.2.2.3', 'unknown'])
    expect([address, isAllowed(address)]).toEqual([address, false])
})

test('without ranges every address is allowed', () => {
  expect(addressCheck([])('203.0.113.9')).toBe(true)
})
