export type Hash = readonly [high: number, low: number]

/** What is hashed: the same text as an e-mail address and as a domain are two things. */
const hashSeeds = { email: 1, phone: 2, domain: 3, cells: 4 } as const

/** Two independent 32-bit hashes of a text (FNV-1a and a multiplicative one, each finished by an avalanche). Not for secrets. */
export function mix(kind: keyof typeof hashSeeds, text: string): Hash {
  let a = 0x811c9dc5 ^ hashSeeds[kind]
  let b = 0x9e3779b9 + hashSeeds[kind]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b + code, 0x85ebca6b) ^ (b >>> 15)
  }
  return [avalanche(a), avalanche(b)]
}

function avalanche(hash: number): number {
  let h = hash
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
