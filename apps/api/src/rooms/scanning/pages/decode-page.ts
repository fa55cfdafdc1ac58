import { isUtf8 } from 'node:buffer'
import sniffEncoding from 'html-encoding-sniffer'
import type { Charset } from './page-facts.ts'

/** Longest UTF-8 sequence in bytes; a size limit can cut the last one. */
const LONGEST_SEQUENCE = 4

export type DecodedPage = { text: string; charset: Charset }

/**
 * Decodes bytes by the byte order mark, then the header, then the document's own charset. Without any of the three, valid UTF-8 is decoded as UTF-8
 * and other bytes as windows-1252. The result is doubtful if the charset was assumed or the bytes do not fit the declared one.
 */
export function decodePage(bytes: Uint8Array, contentType: string | null): DecodedPage {
  const label = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? '')?.[1]
  const { name, from } = charsetOf(bytes, label)
  const decoder = new TextDecoder(name)
  const text = decoder.decode(bytes)
  const isDoubtful = from === 'assumed' || text.includes('\uFFFD')
  return { text, charset: { name: decoder.encoding, from, isDoubtful } }
}

function charsetOf(bytes: Uint8Array, label: string | undefined): Pick<Charset, 'name' | 'from'> {
  if (hasMark(bytes)) return { name: sniffEncoding(bytes), from: 'byte_order_mark' }
  const said = label === undefined ? undefined : sniffEncoding(bytes, { transportLayerEncodingLabel: label })
  if (said !== undefined && isKnown(label)) return { name: said, from: 'header' }
  const inDocument = sniffEncoding(bytes, { defaultEncoding: 'UTF-8' })
  // The sniffer returns its default for a document without a charset. Equal results for two different defaults mean that the document names one.
  if (inDocument === sniffEncoding(bytes, { defaultEncoding: 'windows-1252' }))
    return { name: inDocument, from: 'document' }
  return isUtf8(whole(bytes)) ? { name: 'UTF-8', from: 'valid_utf8' } : { name: 'windows-1252', from: 'assumed' }
}

function hasMark([first, second, third]: Uint8Array): boolean {
  return (
    (first === 0xef && second === 0xbb && third === 0xbf) ||
    (first === 0xfe && second === 0xff) ||
    (first === 0xff && second === 0xfe)
  )
}

function isKnown(label: string | undefined): boolean {
  try {
    new TextDecoder(label)
    return true
  } catch {
    return false
  }
}

/** Removes an incomplete sequence at the end of the bytes. */
function whole(bytes: Uint8Array): Uint8Array {
  for (let cut = 1; cut <= LONGEST_SEQUENCE && cut <= bytes.length; cut++) {
    const byte = bytes[bytes.length - cut] ?? 0
    if (byte < 0x80) return bytes
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - cut)
  }
  return bytes
}
