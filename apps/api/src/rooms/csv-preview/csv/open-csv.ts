import { closeSync, openSync } from 'node:fs'
import { CsvFault } from './dialect.ts'
import { findForm } from './find-form.ts'
import { readFrom } from './read-at.ts'
import { createRecordReader } from './record-reader.ts'
import { spoiltFault, textPieces } from './text-pieces.ts'

/** A row of a file, with the number of its first line. */
type OpenRow = { line: number; cells: readonly string[] }

/** A piece of a file: its rows, and the number of its lines that cannot be split into cells. `bytes`: number of bytes read so far. */
export type CsvPiece = { rows: readonly OpenRow[]; malformed: number; bytes: number }

export type OpenCsv = {
  /** the heading and the suggested field of each column */
  columns: readonly { name: string | null; suggested: string | null }[]
  /** Yields the rows below the first one. Errors: CsvFault, if the file cannot be read to its end. */
  pieces(): Generator<CsvPiece>
  close(): void
}

/**
 * Opens a CSV file for a room that reads its rows once, with the dialect that a preview would detect. The first row has the names of the columns; a
 * caller that accepts files without names reads them as values too. The first reading of the
 * encoding blocks for some milliseconds per 10 MB. Errors: CsvFault (a file that is empty or is not text).
 */
export function openCsv(path: string): OpenCsv {
  const fd = openSync(path, 'r')
  try {
    const { dialect, columns } = findForm(readFrom(fd), {
      path,
      tenantId: '',
      chosen: { headerLine: 1 },
      mapping: undefined,
      phoneRegion: null,
    })
    return { columns, pieces, close: () => closeSync(fd) }

    function* pieces(): Generator<CsvPiece> {
      const headerLine = dialect.headerLine ?? 0
      let rows: OpenRow[] = []
      let malformed = 0
      let bytes = 0
      const reader = createRecordReader(
        { ...dialect, width: columns.length },
        {
          row: (cells, line) => {
            if (line > headerLine && !(line === 1 && dialect.hasDelimiterLine)) rows.push({ line, cells })
          },
          malformed: () => {
            malformed += 1
          },
          blankLine: () => {},
        },
      )
      const taken = (): CsvPiece => {
        const piece = { rows, malformed, bytes }
        rows = []
        malformed = 0
        return piece
      }
      for (const part of textPieces(readFrom(fd), dialect.encoding)) {
        if ('textBefore' in part) throw spoiltFault(part, reader.position(part.textBefore))
        bytes += part.bytes
        reader.push(part.text)
        yield taken()
      }
      reader.end()
      yield taken()
    }
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** Returns the sentence for a file that cannot be read; undefined for any other error. */
export function csvFaultSentence(error: unknown): string | undefined {
  return error instanceof CsvFault ? error.fault.message : undefined
}
