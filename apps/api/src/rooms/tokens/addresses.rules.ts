import { BlockList, isIP } from 'node:net'

/** Largest prefix length of an address, by its family. */
const MAX_PREFIX = { 4: 32, 6: 128 } as const
const FAMILY_NAMES = { 4: 'ipv4', 6: 'ipv6' } as const

type Range = { address: string; prefix: number; family: 4 | 6 }

/** Reads an IP address or a range in CIDR notation, such as `10.1.0.0/16`. Returns undefined for another text. */
function rangeIn(text: string): Range | undefined {
  const [address = '', length, ...rest] = text.split('/')
  const family = isIP(address)
  if ((family !== 4 && family !== 6) || rest.length > 0) return undefined
  if (length === undefined) return { address, prefix: MAX_PREFIX[family], family }
  if (!/^\d{1,3}$/.test(length) || Number(length) > MAX_PREFIX[family]) return undefined
  return { address, prefix: Number(length), family }
}

/** True for an IP address or a range in CIDR notation. */
export function isAddressRange(text: string): boolean {
  return rangeIn(text) !== undefined
}

/** Returns a function that is true for an address within one of these ranges. Without ranges every address is. */
export function addressCheck(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => true
  const list = new BlockList()
  for (const text of ranges) {
    const range = rangeIn(text)
    if (range !== undefined) list.addSubnet(range.address, range.prefix, FAMILY_NAMES[range.family])
  }
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
