import { numeral } from '../../../lib/numeral.ts'
import { CsvFault, type Encoding, type FaultCode } from './dialect.ts'
import { byteOrderMark, lengthOfValid } from './encoding.ts'
import type { ReadAt } from './read-at.ts'

const PIECE_BYTES = 65_536

/** Result of decoding an invalid byte: the text before it, and the code of the fault. */
export type Spoilt = { textBefore: string; code: Extract<FaultCode, 'nul_byte' | 'wrong_encoding'>; sentence: string }

/** A decoded piece of a file. `bytes`: number of bytes read for it. `end`: the position behind its last character. */
export type TextPiece = { text: string; bytes: number; end: number }

/**
 * Decodes a file in pieces, in bounded memory for any length. An invalid byte ends the decoding; the last piece is then the fault with the text
 * before the byte. `from`: the position of a character at which to begin.
 */
export function* textPieces(
  read: ReadAt,
  encoding: Encoding,
  { pieceBytes = PIECE_BYTES, from = 0 }: { pieceBytes?: number; from?: number } = {},
): Generator<TextPiece | Spoilt> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  const buffer = Buffer.allocUnsafe(pieceBytes)
  let position = from
  let end = from
  for (;;) {
    const length = read(buffer, position)
    const skipped = position === 0 ? byteOrderMark(buffer.subarray(0, length), encoding) : 0
    position += length
    end += skipped
    const piece = buffer.subarray(skipped, length)
    let text: string
    try {
      text = decoder.decode(piece, { stream: length > 0 })
    } catch {
      const valid =
        encoding === 'utf-8' ? new TextDecoder(encoding).decode(piece.subarray(0, lengthOfValid(piece))) : ''
      yield {
        textBefore: valid,
        code: 'wrong_encoding',
        sentence: `This is not valid text in ${encodingNames[encoding]}`,
      }
      return
    }
    const nul = text.indexOf('\0')
    if (nul !== -1) {
      yield { textBefore: text.slice(0, nul), code: 'nul_byte', sentence: 'There is a NUL byte: this is not text' }
      return
    }
    end += byteLengthOf(text, encoding)
    if (text !== '') yield { text, bytes: length, end }
    if (length === 0) return
  }
}

/** Returns the number of bytes of a decoded text in its file. */
export function byteLengthOf(text: string, encoding: Encoding): number {
  if (encoding === 'utf-8') return Buffer.byteLength(text)
  return encoding === 'windows-1252' ? text.length : 2 * text.length
}

const encodingNames: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
}

export function spoiltFault({ code, sentence }: Spoilt, at: { line: number; character: number }): CsvFault {
  const message = `Line ${numeral(at.line)}, character ${numeral(at.character)}: ${sentence}.`
  return new CsvFault({ code, message, line: at.line, column: null, character: at.character })
}
