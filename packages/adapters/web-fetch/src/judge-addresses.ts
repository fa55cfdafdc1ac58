import { BlockList, isIP } from 'node:net'
import { isPublicAddress } from '@prospect/adapter-contract/addresses'
import { Stopped } from '@prospect/http-exchange/stopped'

/**
 * Returns the address to connect to, if every address of the host is public and none belongs to this machine; otherwise the first unsafe address.
 * IPv4 is preferred, because a request tries only one address, and announced IPv6 often does not work. Errors: `dns_failed` (no address).
 */
export function judgeAddresses(
  addresses: readonly string[],
  own: readonly string[],
): { address: string; isSafe: boolean } {
  const isUnsafe = (address: string) => !isPublicAddress(address) || own.some((mine) => isSameAddress(mine, address))
  const unsafe = addresses.find(isUnsafe)
  const address = unsafe ?? addresses.find((one) => isIP(one) === 4) ?? addresses[0]
  if (address === undefined) throw new Stopped('dns_failed')
  return { address, isSafe: unsafe === undefined }
}

/** Returns true if two literals are the same address in any spelling; false for text that is not an address. */
export function isSameAddress(one: string, other: string): boolean {
  const family = isIP(one)
  if (family === 0 || isIP(other) !== family) return false
  const list = new BlockList()
  list.addAddress(one, family === 6 ? 'ipv6' : 'ipv4')
  return list.check(other, family === 6 ? 'ipv6' : 'ipv4')
}
