import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import canonicalize from 'canonicalize'

/** A statement with its signature by the key of the audit. The public key is in it, so that it verifies without this program. */
export type SignedStatement<Statement> = {
  statement: Statement
  algorithm: 'Ed25519'
  publicKey: string
  signature: string
}

/**
 * Signs a statement with the key of the audit. `purpose` is part of the signed bytes, so that a signature for another purpose is not valid for this
 * one. The signed bytes are `signedBytesOf`.
 */
export function signStatement<Statement>(
  key: KeyObject,
  purpose: string,
  statement: Statement,
): SignedStatement<Statement> {
  return {
    statement,
    algorithm: 'Ed25519',
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
    signature: sign(null, signedBytesOf(purpose, statement), key).toString('base64url'),
  }
}

/** True if this key signed the statement for this purpose. The caller compares the key with one that it knows from elsewhere. */
export function isStatementSignedBy(
  publicKey: KeyObject,
  purpose: string,
  { statement, signature }: Pick<SignedStatement<unknown>, 'statement' | 'signature'>,
): boolean {
  return verify(null, signedBytesOf(purpose, statement), publicKey, Buffer.from(signature, 'base64url'))
}

/** Returns the signed bytes: the canonical JSON (RFC 8785) of a list with the purpose and the statement, in UTF-8. */
function signedBytesOf(purpose: string, statement: unknown): Buffer {
  return Buffer.from(canonicalize([purpose, statement]) ?? '')
}
