import { z } from 'zod'
import type { PurposeDeclaration } from './declaration.ts'

/* The purpose `dns`: one question about one name and one record type, sent to one configured resolver. */

export const dnsKinds = ['MX', 'NS', 'TXT'] as const
export const MAX_DNS_RECORDS = 100
export const MAX_DNS_ALIASES = 8
export const MAX_TTL_SECONDS = 86_400
/** maximum TTL of a negative answer by RFC 2308; a negative answer without a SOA record has no TTL */
export const MAX_NEGATIVE_TTL_SECONDS = 10_800

const MAX_NAME_LENGTH = 253
/** A label of an owner name, which in contrast to a host may contain `_`. */
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/

/**
 * Schema of a normalized name: lower-case ASCII, two or more labels, no final dot. The last label must not be a number, because the name would then
 * be an IP address.
 */
export const dnsNameSchema = z.string().refine(isDnsName, { error: 'is not a normalized domain name.' })

function isDnsName(name: string): boolean {
  const labels = name.split('.')
  return (
    name.length <= MAX_NAME_LENGTH &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  )
}

export const dnsQuerySchema = z.strictObject({
  name: dnsNameSchema,
  kind: z.enum(dnsKinds),
  /** transport protocol; `tcp` only in the `next` query of a truncated answer */
  over: z.enum(['udp', 'tcp']),
})

export type DnsQuery = z.infer<typeof dnsQuerySchema>

export const dnsDeclaration: PurposeDeclaration = {
  purposes: ['dns'],
  answerFields: { always: ['status', 'records', 'ttl', 'aliases'], onRequest: [] },
  query: [
    { name: 'name', label: 'Domain', kind: 'text' },
    { name: 'kind', label: 'Record type', kind: 'choice', options: [...dnsKinds] },
    { name: 'over', label: 'Transport protocol', kind: 'fixed', value: 'udp' },
  ],
}

/** Schema of a name in an answer: lower case, without the final dot. `.` is the root, as in a null MX. */
const answeredName = z.string().min(1).max(1_024)
const ttl = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)

export const dnsRecordSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('MX'), preference: z.int().min(0).max(65_535), exchange: answeredName, ttl }),
  z.strictObject({ kind: z.literal('NS'), host: answeredName, ttl }),
  z.strictObject({
    kind: z.literal('TXT'),
    /** the joined strings of the record; if they are not UTF-8 or contain control characters, `\DDD` replaces each byte outside printable ASCII */
    text: z.string().max(4 * 65_535),
    isEscaped: z.boolean(),
    ttl,
  }),
])

export type DnsRecord = z.infer<typeof dnsRecordSchema>

/**
 * Schema of a DNS answer. `blocked` means that the resolver responded with REFUSED. A timeout or a malformed response gives no answer: the request is
 * then `unavailable` with the cause `timeout` or `answer_invalid`.
 */
export const dnsAnswerSchema = z.strictObject({
  name: dnsNameSchema,
  kind: z.enum(dnsKinds),
  status: z.enum(['resolved', 'no_data', 'nxdomain', 'servfail', 'blocked', 'error']),
  /** reason for the status `blocked` or `error`; null for any other status */
  reason: z
    .enum(['refused', 'response_code', 'alias_loop', 'too_many_aliases', 'too_many_records', 'truncated'])
    .nullable(),
  responseCode: z.int().min(0).max(4_095),
  records: z.array(dnsRecordSchema).max(MAX_DNS_RECORDS),
  /** chain of CNAMEs in order, without the queried name */
  aliases: z.array(answeredName).max(MAX_DNS_ALIASES),
  /**
   * number of seconds for which the answer may be reused: the lowest TTL of chain and records, or the TTL by the SOA record; null if it may not be
   * reused
   */
  ttl: z.int().min(0).max(MAX_TTL_SECONDS).nullable(),
  isTruncated: z.boolean(),
  /** true if the answer is truncated but contains some records */
  isPartial: z.boolean(),
  isAuthoritative: z.boolean(),
})

export type DnsAnswer = z.infer<typeof dnsAnswerSchema>

export const dnsTraceSchema = z.strictObject({
  /** name of the resolver in the operator's configuration; null if no request was sent */
  resolver: z.string().nullable(),
  over: z.enum(['udp', 'tcp']),
  /** reason for the cause `answer_invalid`; null for any other cause */
  reason: z.enum(['malformed', 'mismatched']).nullable(),
})

export type DnsTrace = z.infer<typeof dnsTraceSchema>
