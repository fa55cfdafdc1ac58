import { hash, timingSafeEqual } from 'node:crypto'
import canonicalize from 'canonicalize'

export function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}

/** SHA-256 of the RFC 8785 form: the same for two requests that mean the same, whatever the order of their properties. */
export function fingerprint(value: unknown): string {
  return sha256(canonicalize(value) ?? 'undefined')
}

/** Compares two secrets without telling by its duration where they differ. */
export function secretsEqual(a: string, b: string): boolean {
  const left = Buffer.from(sha256(a))
  const right = Buffer.from(sha256(b))
  return timingSafeEqual(left, right)
}
