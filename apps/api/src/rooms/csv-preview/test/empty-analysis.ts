import type { Analysis } from '../csv/analysis.ts'
import { createRowIndex } from '../csv/row-index.ts'

/** Analysis of a file without rows and columns, for tests that do not read a file. */
export const emptyAnalysis: Analysis = {
  headerChoices: [],
  dialect: {
    encoding: 'utf-8',
    delimiter: ',',
    quote: '"',
    headerLine: null,
    hasByteOrderMark: false,
    hasDelimiterLine: false,
    lineEnds: 'none',
  },
  doubts: { encoding: null, delimiter: null, quote: null, header: null },
  columns: [],
  totals: {
    rows: 0,
    blankLines: 0,
    rowsBeforeHeader: 0,
    malformedRows: 0,
    rowsWithProblems: 0,
    duplicateRows: 0,
    matchingRows: 0,
    doNotContactRows: 0,
    unknownRows: 0,
    problems: {},
    notes: {},
  },
  fault: null,
  malformed: [],
  index: createRowIndex().finish(),
}
