import 'reflect-metadata' // imported before @peculiar/x509, which needs it
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509'

export type TlsIdentity = { key: string; cert: string }

const DAY_MS = 86_400_000

/** Creates a key and a self-signed certificate for these names. A negative number of `days` creates an expired one. */
export async function tlsIdentity(names: readonly string[], days = 1): Promise<TlsIdentity> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const now = Date.now()
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${names[0]}`,
    notBefore: new Date(now - 2 * DAY_MS),
    notAfter: new Date(now + days * DAY_MS),
    signingAlgorithm: algorithm,
    keys,
    extensions: [new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value })))],
  })
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  return { key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`, cert: certificate.toString('pem') }
}
