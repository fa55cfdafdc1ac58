import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/*
 * Policy for the addresses to which a transport may connect, as data from the IANA special-purpose registries. Increment the version with every
 * change; stored scans are then evaluated again.
 */

export const ADDRESS_POLICY_VERSION = 1

/** Denied IPv4 ranges: the special ranges, and the metadata address of Azure, which is public unicast and in no registry. */
const deniedIpv4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT; metadata of Alibaba
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // metadata of Azure
  '169.254.0.0/16', // link-local; metadata of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; metadata of Oracle
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]

/** The only allowed IPv6 range: global unicast. Loopback, mapped IPv4, NAT64, private, link-local and multicast addresses are outside of it. */
const globalUnicast = '2000::/3'

/** Denied IPv6 ranges: special ranges inside global unicast. */
const deniedIpv6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which embeds IPv4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
]

/** Private networks, which are not routed on the Internet. Link-local is missing on purpose, because metadata services respond there. */
const privateNetworks = ['10.0.0.0/8', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']
const privateNetworks6 = ['::1/128', 'fc00::/7']
/** Ranges with metadata addresses of AWS and Google, inside the private range of IPv6. */
const metadata6 = ['fd00:ec2::/32', 'fd20:ce::/32']

const denied = networks(deniedIpv4, deniedIpv6)
const global = networks([], [globalUnicast])
const nearby = networks(privateNetworks, privateNetworks6)
const metadata = networks([], metadata6)

/** Returns true only for the literal of a public unicast address; false for any other text. */
export function isPublicAddress(address: string): boolean {
  const family = familyOf(address)
  if (family === 'ipv4') return !denied.check(address, family)
  if (family === 'ipv6') return global.check(address, family) && !denied.check(address, family) && !isIsatap(address)
  return false
}

/** Returns true only for the literal of a loopback or private address, including such an IPv4 address inside IPv6. */
export function isPrivateAddress(address: string): boolean {
  const family = familyOf(address)
  return family !== undefined && nearby.check(address, family) && !metadata.check(address, family)
}

/** Returns the family of a literal address. An address with a zone id has none, because it names an interface of this machine. */
function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  if (address.includes('%')) return undefined
  const family = isIP(address)
  if (family === 0) return undefined
  return family === 4 ? 'ipv4' : 'ipv6'
}

/** Returns true for an ISATAP address (RFC 5214), whose interface identifier embeds an IPv4 address after any prefix. */
function isIsatap(address: string): boolean {
  if (!/5efe/i.test(address)) return false
  const [, , , , high, low] = ipaddr.IPv6.parse(address).parts
  return low === 0x5efe && (high === 0 || high === 0x200)
}

function networks(ipv4: readonly string[], ipv6: readonly string[]): BlockList {
  const list = new BlockList()
  const add = (network: string, family: 'ipv4' | 'ipv6') => {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  for (const network of ipv4) add(network, 'ipv4')
  for (const network of ipv6) add(network, 'ipv6')
  return list
}
