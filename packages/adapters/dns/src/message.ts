import type { DnsQuery } from '@prospect/adapter-contract/dns'
import type { BaseAnswer, MxAnswer, SoaAnswer, TxtAnswer } from 'dns-packet'
import * as dnsPacket from 'dns-packet'
import { EDNS_BYTES } from './rules.ts'

/*
 * Encodes a question and decodes the message that answers it. dns-packet encodes and decodes names and record data. Header, counts and record lengths
 * are decoded in this file, because the package's own `decode` trusts them and rejects a truncated message.
 */

declare module 'dns-packet' {
  type Decoder<T> = { decode: { (message: Buffer, offset: number): T; bytes: number } }
  const name: Decoder<string>
  /** decoder of the record types that this file supports */
  const answer: Decoder<ResourceRecord>
}

const HEADER_BYTES = 12
const CLASS_IN = 1
/** Maximum number of answer records, including aliases. Further records are not decoded. */
const MAX_ANSWERS = 108
const types = { NS: 2, CNAME: 5, SOA: 6, MX: 15, TXT: 16, OPT: 41 } as const

export type ResourceRecord = BaseAnswer<'CNAME' | 'NS', string> | MxAnswer | SoaAnswer | TxtAnswer

export type Message = {
  isAuthoritative: boolean
  isTruncated: boolean
  responseCode: number
  hasTooManyAnswers: boolean
  answers: ResourceRecord[]
  authorities: ResourceRecord[]
}

export function encodeQuestion(id: number, { name, kind }: DnsQuery): Buffer {
  return dnsPacket.encode({
    type: 'query',
    id,
    flags: dnsPacket.RECURSION_DESIRED,
    questions: [{ name, type: kind, class: 'IN' }],
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: EDNS_BYTES,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: 0,
        flag_do: false,
        options: [],
      },
    ],
  })
}

/** Decodes a message. Returns `mismatched` if it answers another question, and `malformed` if it cannot be decoded. */
export function readAnswer(bytes: Buffer, id: number, query: DnsQuery): Message | 'malformed' | 'mismatched' {
  if (bytes.length < HEADER_BYTES) return 'malformed'
  const flags = bytes.readUInt16BE(2)
  const isResponse = (flags & 0x8000) !== 0
  const opcode = (flags >> 11) & 0xf
  if (bytes.readUInt16BE(0) !== id || !isResponse || opcode !== 0 || bytes.readUInt16BE(4) !== 1) return 'mismatched'
  try {
    const question = readQuestion(bytes)
    if (
      question.name.toLowerCase() !== query.name ||
      question.type !== types[query.kind] ||
      question.class !== CLASS_IN
    )
      return 'mismatched'
    return readSections(bytes, question.end, flags)
  } catch {
    return 'malformed'
  }
}

function readQuestion(bytes: Buffer) {
  const name = dnsPacket.name.decode(bytes, HEADER_BYTES)
  const at = HEADER_BYTES + dnsPacket.name.decode.bytes
  return { name, type: bytes.readUInt16BE(at), class: bytes.readUInt16BE(at + 2), end: at + 4 }
}

function readSections(bytes: Buffer, start: number, flags: number): Message | 'malformed' {
  const isTruncated = (flags & 0x0200) !== 0
  const answerCount = bytes.readUInt16BE(6)
  const authorityCount = bytes.readUInt16BE(8)
  const additionalCount = bytes.readUInt16BE(10)
  const message: Message = {
    isAuthoritative: (flags & 0x0400) !== 0,
    isTruncated,
    responseCode: flags & 0xf,
    hasTooManyAnswers: answerCount > MAX_ANSWERS,
    answers: [],
    authorities: [],
  }
  if (message.hasTooManyAnswers) return message
  let offset = start
  try {
    for (let index = 0; index < answerCount + authorityCount + additionalCount; index++) {
      const { record, extendedCode, end } = readRecord(bytes, offset)
      offset = end
      message.responseCode |= extendedCode << 4
      if (record === undefined) continue
      if (index < answerCount) message.answers.push(record)
      else if (index < answerCount + authorityCount) message.authorities.push(record)
    }
  } catch (error) {
    // A truncated message can end within a record. The complete records before it are returned.
    if (isTruncated) return message
    throw error
  }
  return offset === bytes.length || isTruncated ? message : 'malformed'
}

function readRecord(bytes: Buffer, offset: number) {
  dnsPacket.name.decode(bytes, offset)
  const at = offset + dnsPacket.name.decode.bytes
  const type = bytes.readUInt16BE(at)
  const end = at + 10 + bytes.readUInt16BE(at + 8)
  if (end > bytes.length) throw new RangeError('The record ends behind the message.')
  if (type === types.OPT) return { record: undefined, extendedCode: bytes.readUInt8(at + 4), end }
  const isWanted = bytes.readUInt16BE(at + 2) === CLASS_IN && Object.values<number>(types).includes(type)
  if (!isWanted) return { record: undefined, extendedCode: 0, end }
  const record = dnsPacket.answer.decode(bytes, offset)
  if (offset + dnsPacket.answer.decode.bytes !== end)
    throw new RangeError('The record data has another length than announced.')
  return { record, extendedCode: 0, end }
}
