import { isUtf8 } from 'node:buffer'
import { numeral } from '../../../lib/numeral.ts'
import { CsvFault, type Encoding } from './dialect.ts'
import type { ReadAt } from './read-at.ts'

export type FoundEncoding = { encoding: Encoding; hasByteOrderMark: boolean; doubt: string | null }

const CHUNK_BYTES = 1_048_576
/** Number of bytes that are searched for zero bytes. */
const SAMPLE_BYTES = 65_536
/**
 * Minimum share of zero bytes by which a file is recognised as UTF-16. Western text in UTF-16 has a share of nearly 0.5, all in the same half of each
 * unit.
 */
const UTF16_ZERO_SHARE = 0.25

const marks: readonly [Encoding, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** Returns the length of the byte order mark of this encoding; 0 if the file does not begin with one. */
export function byteOrderMark(start: Buffer, encoding: Encoding): number {
  const mark = marks.find(([name]) => name === encoding)?.[1]
  return mark?.every((byte, at) => start[at] === byte) === true ? mark.length : 0
}

/**
 * Detects the encoding of a file. A byte order mark decides. Otherwise the file is UTF-8 if all of it is valid UTF-8, UTF-16 if its zero bytes are in
 * the positions of UTF-16, and Windows-1252 in all other cases. If the result is uncertain, it contains a sentence about this (`doubt`). Reads the
 * whole file in bounded memory. Throws CsvFault for a file that is not text, such as an office document, an image or an archive.
 */
export function findEncoding(read: ReadAt): FoundEncoding {
  const sample = filled(Buffer.allocUnsafe(SAMPLE_BYTES), read, 0)
  const marked = marks.find(([encoding]) => byteOrderMark(sample, encoding) > 0)
  if (sample.length === (marked?.[1].length ?? 0)) throw noText('empty_file', 'The file is empty.')
  if (marked !== undefined) return { encoding: marked[0], hasByteOrderMark: true, doubt: null }
  refuseKnownFormats(sample)
  const zeros = zeroShares(sample)
  const guessed = (encoding: Encoding) => ({
    encoding,
    hasByteOrderMark: false,
    doubt: 'There is no byte order mark; UTF-16 is guessed from the positions of the zero bytes.',
  })
  if (zeros.odd > UTF16_ZERO_SHARE && zeros.even < zeros.odd / 4) return guessed('utf-16le')
  if (zeros.even > UTF16_ZERO_SHARE && zeros.odd < zeros.even / 4) return guessed('utf-16be')
  const line = firstLineThatIsNotUtf8(read)
  if (line === undefined) return { encoding: 'utf-8', hasByteOrderMark: false, doubt: null }
  return {
    encoding: 'windows-1252',
    hasByteOrderMark: false,
    doubt: `Line ${numeral(line)} is not UTF-8, so Windows-1252 is assumed. Check that letters with accents are correct.`,
  }
}

const formats: readonly [string, 'spreadsheet_file' | 'not_text', readonly number[]][] = [
  [
    'This is an Excel or OpenDocument file. Save it as CSV and choose the CSV file.',
    'spreadsheet_file',
    [0x50, 0x4b, 0x03, 0x04],
  ],
  ['This is an old Excel file. Save it as CSV and choose the CSV file.', 'spreadsheet_file', [0xd0, 0xcf, 0x11, 0xe0]],
  ['This is a PDF file, not a CSV file.', 'not_text', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['This is a compressed file. Unpack it and choose the CSV file in it.', 'not_text', [0x1f, 0x8b]],
  ['This is an image, not a CSV file.', 'not_text', [0x89, 0x50, 0x4e, 0x47]],
  ['This is an image, not a CSV file.', 'not_text', [0xff, 0xd8, 0xff]],
]

function refuseKnownFormats(sample: Buffer): void {
  for (const [message, code, magic] of formats)
    if (magic.every((byte, at) => sample[at] === byte)) throw noText(code, message)
}

function noText(code: 'empty_file' | 'spreadsheet_file' | 'not_text', message: string): CsvFault {
  return new CsvFault({ code, message, line: 1, column: null, character: null })
}

function zeroShares(sample: Buffer): { even: number; odd: number } {
  const zeros = [0, 0]
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const half = Math.max(1, sample.length / 2)
  return { even: (zeros[0] ?? 0) / half, odd: (zeros[1] ?? 0) / half }
}

function firstLineThatIsNotUtf8(read: ReadAt): number | undefined {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  let at = 0
  let line = 1
  for (;;) {
    const chunk = filled(buffer, read, at)
    if (chunk.length === 0) return undefined
    const isLast = chunk.length < CHUNK_BYTES
    const whole = isLast ? chunk.length : wholeCharacters(chunk)
    if (!isUtf8(chunk.subarray(0, whole))) return line + lineEndsBefore(chunk, lengthOfValid(chunk))
    line += lineEndsBefore(chunk, whole)
    at += whole
  }
}

/** Returns the length of a chunk without the incomplete character at its end. */
function wholeCharacters(chunk: Buffer): number {
  for (let back = 1; back <= 3; back++) {
    const byte = chunk[chunk.length - back] ?? 0
    if (byte < 0x80) return chunk.length
    if (byte >= 0xc0) return chunk.length - back
  }
  return chunk.length
}

/** Returns the length of the valid UTF-8 at the start of a chunk, up to its last complete character. */
export function lengthOfValid(chunk: Buffer): number {
  let [valid, invalid] = [0, chunk.length]
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1
    const part = chunk.subarray(0, middle)
    if (isUtf8(part.subarray(0, wholeCharacters(part)))) valid = middle
    else invalid = middle
  }
  return wholeCharacters(chunk.subarray(0, valid))
}

function lineEndsBefore(chunk: Buffer, end: number): number {
  let ends = 0
  for (let at = chunk.indexOf(10); at !== -1 && at < end; at = chunk.indexOf(10, at + 1)) ends += 1
  return ends
}

/** Fills the buffer with the bytes from this position, up to the end of the file. */
function filled(buffer: Buffer, read: ReadAt, position: number): Buffer {
  return buffer.subarray(0, read(buffer, position))
}
