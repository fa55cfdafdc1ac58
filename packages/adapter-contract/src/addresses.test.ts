import { BlockList, isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPrivateAddress, isPublicAddress } from './addresses.ts'

/** For every special range: its first and last address, and the addresses just outside if they are public. */
const ranges: Record<string, { denied?: string[]; allowed?: string[] }> = {
  'this network': { denied: ['0.0.0.0', '0.255.255.255'], allowed: ['1.0.0.0'] },
  'private 10/8': { denied: ['10.0.0.0', '10.255.255.255'], allowed: ['9.255.255.255', '11.0.0.0'] },
  'carrier-grade NAT': { denied: ['100.64.0.0', '100.127.255.255'], allowed: ['100.63.255.255', '100.128.0.0'] },
  loopback: { denied: ['127.0.0.0', '127.0.0.1', '127.255.255.255'], allowed: ['126.255.255.255', '128.0.0.0'] },
  'link-local': { denied: ['169.254.0.0', '169.254.255.255'], allowed: ['169.253.255.255', '169.255.0.0'] },
  'private 172.16/12': { denied: ['172.16.0.0', '172.31.255.255'], allowed: ['172.15.255.255', '172.32.0.0'] },
  'protocol assignments': { denied: ['192.0.0.0', '192.0.0.255'], allowed: ['191.255.255.255', '192.0.1.0'] },
  'documentation 1': { denied: ['192.0.2.0', '192.0.2.255'], allowed: ['192.0.1.255', '192.0.3.0'] },
  'AS112 1': { denied: ['192.31.196.0', '192.31.196.255'], allowed: ['192.31.195.255', '192.31.197.0'] },
  AMT: { denied: ['192.52.193.0', '192.52.193.255'], allowed: ['192.52.192.255', '192.52.194.0'] },
  '6to4 relays': { denied: ['192.88.99.0', '192.88.99.255'], allowed: ['192.88.98.255', '192.88.100.0'] },
  'private 192.168/16': { denied: ['192.168.0.0', '192.168.255.255'], allowed: ['192.167.255.255', '192.169.0.0'] },
  'AS112 2': { denied: ['192.175.48.0', '192.175.48.255'], allowed: ['192.175.47.255', '192.175.49.0'] },
  benchmarks: { denied: ['198.18.0.0', '198.19.255.255'], allowed: ['198.17.255.255', '198.20.0.0'] },
  'documentation 2': { denied: ['198.51.100.0', '198.51.100.255'], allowed: ['198.51.99.255', '198.51.101.0'] },
  'documentation 3': { denied: ['203.0.113.0', '203.0.113.255'], allowed: ['203.0.112.255', '203.0.114.0'] },
  'multicast, reserved and broadcast': {
    denied: ['224.0.0.0', '239.255.255.255', '240.0.0.0', '255.255.255.255'],
    allowed: ['223.255.255.255'],
  },
  'metadata of clouds': {
    denied: [
      '169.254.169.254',
      '168.63.129.16',
      '100.100.100.200',
      '192.0.0.192',
      'fd00:ec2::254',
      'fd20:ce::254',
      'fe80::a9fe:a9fe',
    ],
    allowed: ['168.63.129.15', '168.63.129.17'],
  },
  'unspecified, loopback and low IPv6': {
    denied: ['::', '::1', '::2', '::ffff', '100::', '100::1', '1fff::1', '1fff:ffff::'],
  },
  'IPv4 inside IPv6': {
    denied: [
      '::127.0.0.1',
      '::8.8.8.8',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::ffff:7f00:1',
      '::FFFF:0808:0808',
      '0:0:0:0:0:ffff:8.8.8.8',
      '::ffff:0:8.8.8.8',
      '64:ff9b::8.8.8.8',
      '64:ff9b::7f00:1',
      '64:ff9b:1::a00:1',
      '2002:7f00:1::',
      '2002:808:808::1',
      '2001::1',
      '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    ],
  },
  ISATAP: {
    denied: [
      '2a00:1450::5efe:7f00:1',
      '2a00:1450::5EFE:127.0.0.1',
      '2606:4700::200:5efe:a00:1',
      '2a00:1450:0:0:0:5efe:8.8.8.8',
    ],
    allowed: ['2a00:1450::5eff:7f00:1', '2a00:1450:0:5efe::1', '2a00:1450::5efe', '2a00:1450::1:5efe:7f00:1'],
  },
  'protocol assignments of IPv6': {
    denied: ['2001::', '2001:1ff:ffff::', '2001:2::', '2001:10::', '2001:20::1'],
    allowed: ['2001:200::1'],
  },
  'documentation of IPv6': {
    denied: ['2001:db8::1', '2001:db8:ffff::', '3fff::', '3fff:fff:ffff::'],
    allowed: ['2001:db7::1', '2001:db9::1', '3fff:1000::1'],
  },
  'AS112 of IPv6': { denied: ['2620:4f:8000::1'], allowed: ['2620:4f:7fff::1', '2620:4f:8001::1'] },
  'unassigned, private, link-local, site-local and multicast': {
    denied: [
      '4000::1',
      '5f00::1',
      '8000::1',
      'fc00::1',
      'fdff:ffff::1',
      'fe80::1',
      'febf::1',
      'fec0::1',
      'ff00::1',
      'ff02::1',
      'ffff::',
    ],
  },
  'global unicast': {
    allowed: [
      '2000::1',
      '2606:4700:4700::1111',
      '2001:4860:4860::8888',
      '2c0f:fb50:4002::1',
      '3ffe::1',
      '8.8.8.8',
      '196.10.100.1',
    ],
  },
}

const rows = (side: 'denied' | 'allowed') =>
  Object.entries(ranges).flatMap(([name, range]) => (range[side] ?? []).map((address) => [address, name] as const))

test.each(rows('denied'))('%s is denied: %s', (address) => expect(isPublicAddress(address)).toBe(false))
test.each(rows('allowed'))('%s is allowed: beside %s', (address) => expect(isPublicAddress(address)).toBe(true))

test.each([
  '',
  ' ',
  'localhost',
  '127.1',
  '0x7f.1',
  '0177.0.0.1',
  '2130706433',
  '8.8.8',
  '8.8.8.8.',
  '8.8.8.8 ',
  '08.8.8.8',
  '８.8.8.8',
  '[2606:4700::1]',
  '2606:4700::1%eth0',
  'fe80::1%1',
  '8.8.8.8/32',
  '2606:4700::1/64',
  'example.com',
])('%j is no address, and denied', (text) => {
  expect(isPublicAddress(text)).toBe(false)
  expect(isPrivateAddress(text)).toBe(false)
})

test('every IPv4 address is denied inside IPv6, whatever it is', () => {
  fc.assert(
    fc.property(
      fc.ipV4(),
      fc.constantFrom('::', '::ffff:', '64:ff9b::', '2002::', '2a00:1450::5efe:'),
      (address, prefix) => {
        expect(isPublicAddress(`${prefix}${address}`)).toBe(false)
      },
    ),
  )
})

test('no address is both public and private, and neither answer depends on the spelling', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
      expect(isPublicAddress(address) && isPrivateAddress(address)).toBe(false)
      const spelled = isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address
      expect(isPublicAddress(spelled)).toBe(isPublicAddress(address))
      expect(isPublicAddress(address.toUpperCase())).toBe(isPublicAddress(address))
    }),
  )
})

test('a public IPv6 address is global unicast', () => {
  const unicast = new BlockList()
  unicast.addSubnet('2000::', 3, 'ipv6')
  fc.assert(fc.property(fc.ipV6(), (address) => !isPublicAddress(address) || unicast.check(address, 'ipv6')))
})

describe('private addresses', () => {
  test.each(['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '::1', 'fd12:3456::1', '::ffff:10.0.0.1'])(
    '%s is one',
    (address) => expect(isPrivateAddress(address)).toBe(true),
  )
  test.each([
    '169.254.169.254',
    'fe80::1',
    'fd00:ec2::254',
    'fd20:ce::254',
    '0.0.0.0',
    '::',
    '8.8.8.8',
    '100.64.0.1',
    '2606:4700::1',
  ])('%s is none', (address) => expect(isPrivateAddress(address)).toBe(false))
})
