import { z } from 'zod'
import { pageOf, pageQuery } from '../../http/pagination.ts'
import { flag, recordId, region } from '../../http/text.ts'
import { inDigits } from '../../lib/digits.ts'
import { noteCodes, problemCodes } from './csv/check-row.rules.ts'
import { csvLimits, type delimiters, encodings, type Quote } from './csv/dialect.ts'
import { type CsvField, csvFields, repeatableFields } from './csv/fields.ts'

const delimiterNames = { comma: ',', semicolon: ';', tab: '\t', bar: '|' } as const satisfies Record<
  string,
  (typeof delimiters)[number]
>
const quoteNames = { double: '"', single: "'", none: null } as const satisfies Record<string, Quote | null>

type Named<Names extends Record<string, unknown>> = keyof Names & string
const namesOf = <Names extends Record<string, unknown>>(names: Names) =>
  Object.keys(names) as [Named<Names>, ...Named<Names>[]]

const csvFieldSchema = z.enum(csvFields).meta({ id: 'CsvField' })
const delimiterSchema = z.enum(namesOf(delimiterNames))
const quoteSchema = z.enum(namesOf(quoteNames))
const encodingSchema = z.enum(encodings)

const mappingQuery = z
  .string()
  .max(20_000)
  .transform((text, context): (CsvField | null)[] => {
    const mapping: (CsvField | null)[] = []
    const refuse = (message: string) => {
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    for (const part of text === 'none' ? [] : text.split(',')) {
      const [, place = '', name = ''] = /^(\d{1,4}):([a-zA-Z.]+)$/.exec(part) ?? []
      const column = Number(place)
      const field = csvFields.find((one) => one === name)
      if (field === undefined || column < 1 || column > csvLimits.columns)
        return refuse('Write a column and its field, such as 1:name,3:email.')
      if (mapping[column - 1] !== undefined) return refuse(`Column ${column} is named twice.`)
      if (!repeatableFields.has(field) && mapping.includes(field)) return refuse(`Only one column can be ${field}.`)
      mapping[column - 1] = field
    }
    return Array.from(mapping, (field) => field ?? null)
  })
  .meta({
    description:
      'Fields by column, such as `1:name,3:email`; a column not listed is not used, and `none` uses no column. If absent, fields are suggested.',
  })

export const createCsvPreviewQuery = z
  .strictObject({
    encoding: encodingSchema.optional(),
    delimiter: delimiterSchema.transform((name) => delimiterNames[name]).optional(),
    quote: quoteSchema.transform((name) => quoteNames[name]).optional(),
    header: flag.optional().describe('Whether the file has column names. The line is detected.'),
    headerLine: inDigits(z.int().min(1).max(csvLimits.headerLines))
      .optional()
      .describe('Line of the column names. Rows before it are not read.'),
    mapping: mappingQuery.optional(),
    phoneRegion: region.optional(),
  })
  .refine(({ header, headerLine }) => header !== false || headerLine === undefined, {
    path: ['headerLine'],
    message: 'Leave out headerLine, or do not send header=false.',
  })
  .meta({ description: 'Absent settings are detected.' })
export type CreateCsvPreview = z.output<typeof createCsvPreviewQuery>

/** Returns the name that the API uses for a value of the analysis, such as a delimiter. */
export function nameOf<Names extends Record<string, unknown>>(names: Names, value: Names[keyof Names]): Named<Names> {
  const name = namesOf(names).find((one) => names[one] === value)
  if (name === undefined) throw new Error('This value has no name.')
  return name
}
export { delimiterNames, quoteNames }

const faultSchema = z
  .object({
    code: z.enum([
      'empty_file',
      'not_text',
      'spreadsheet_file',
      'nul_byte',
      'wrong_encoding',
      'row_too_long',
      'too_many_columns',
    ]),
    message: z.string(),
    line: z.int(),
    column: z.int().nullable(),
    character: z.int().nullable(),
  })
  .meta({
    id: 'CsvFault',
    description:
      'Position where reading ended: the line, and the cell or the character in it. The totals count the rows before it.',
  })

const doubt = z.string().nullable()
const count = z.int()

const csvRowSchema = z
  .object({
    row: count,
    line: count,
    cells: z.array(z.string()),
    cut: z.array(count),
    problems: z.array(z.object({ column: count, code: z.enum(problemCodes) })),
    notes: z.array(
      z.object({
        column: count,
        code: z.enum(noteCodes),
        text: z.string().exactOptional().describe('The note in words, with the values, for doubts about a place'),
      }),
    ),
    duplicates: z.array(
      z.object({ column: count.nullable(), kind: z.enum(['email', 'phone', 'domain', 'cells']), row: count }),
    ),
    matches: z.array(
      z.object({
        column: count,
        kind: z.enum(['email', 'phone', 'domain']),
        businessId: z.string(),
        name: z.string(),
        doNotContact: z.boolean(),
      }),
    ),
    values: z
      .array(
        z.object({ column: count, kind: z.enum(['email', 'phone', 'domain', 'number']), texts: z.array(z.string()) }),
      )
      .describe(
        'values within cells that are none as a whole, such as two phones, or a phone with a name; numbers in digits if the cell has separators',
      ),
    suppressed: z.array(count).describe('columns with a value that a live suppression entry matches'),
    said: z
      .enum(['yes', 'no', 'unclear'])
      .nullable()
      .describe('what the columns mapped to doNotContact say; null without such a column'),
    doNotContact: z.boolean().nullable(),
  })
  .meta({
    id: 'CsvRow',
    description:
      'Rows count from 1 after the header, lines and columns from 1. `cut`: columns with a truncated cell. `doNotContact`: a value is suppressed, a record with it is blocked, or the file says so; null: not checked or unclear, so treat the row as do not contact.',
  })

const aboutPreview = {
  id: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  file: z.object({ bytes: count, sha256: z.string() }),
}

export const csvPreviewSchema = z
  .object({
    ...aboutPreview,
    status: z.literal('ready'),
    dialect: z.object({
      encoding: encodingSchema,
      delimiter: delimiterSchema,
      quote: quoteSchema,
      hasHeader: z.boolean(),
      headerLine: count.nullable().describe('line of the column names; null without them'),
      hasByteOrderMark: z.boolean(),
      hasDelimiterLine: z.boolean().describe('line 1 is not a row; it sets the delimiter, as `sep=;`'),
      lineEnds: z.enum(['lf', 'crlf', 'cr', 'mixed', 'none']),
    }),
    doubts: z.object({ encoding: doubt, delimiter: doubt, quote: doubt, header: doubt }),
    headerChoices: z
      .array(z.object({ line: count, text: z.string() }))
      .describe(`Rows that begin on the first ${csvLimits.headerLines} lines. Send the line of one as headerLine.`),
    columns: z.array(
      z.object({
        column: count,
        name: z.string().nullable(),
        field: csvFieldSchema.nullable(),
        suggested: csvFieldSchema.nullable(),
        because: z.enum(['header', 'content']).nullable(),
      }),
    ),
    totals: z.object({
      rows: count.describe('rows read, without the header'),
      blankLines: count,
      rowsBeforeHeader: count.describe('rows before the column names, which are not read'),
      malformedRows: count.describe('lines that have no reading and are left out'),
      rowsWithProblems: count,
      duplicateRows: count.describe(
        'rows that share an identifier with another row, or all cells if they have no identifier',
      ),
      matchingRows: count.describe('rows with an identifier of an active record'),
      doNotContactRows: count,
      unknownRows: count.describe('rows that could not be checked for do not contact'),
      problems: z.array(z.object({ code: z.enum(problemCodes), cells: count })),
      notes: z.array(z.object({ code: z.enum(noteCodes), cells: count })),
    }),
    kept: z.object({
      rows: count.describe('number of rows that can be listed; less than all rows if the file is very long'),
      flaggedRows: count.describe('number of rows with a problem, duplicate, match or block when the file was read'),
    }),
    malformed: z
      .array(
        z.object({
          code: z.enum(['quote_inside_cell', 'text_after_quote', 'quote_not_closed']),
          line: count,
          column: count,
          text: z.string(),
          isCut: z.boolean().describe('The text is truncated.'),
          doNotContact: z
            .boolean()
            .nullable()
            .describe('A live suppression entry matches a value in the text; null: not checked.'),
        }),
      )
      .describe('The first of these lines.'),
    fault: faultSchema.nullable(),
  })
  .meta({
    id: 'CsvPreview',
    description:
      'Preview of a CSV file. It is held in memory for minutes after its last use; nothing of it is stored or imported.',
  })
export type CsvPreview = z.infer<typeof csvPreviewSchema>

const csvPreviewReadingSchema = z
  .object({
    ...aboutPreview,
    status: z.literal('reading'),
    jobId: z.string().nullable(),
    progress: z
      .object({ bytesRead: count, bytesPerSecond: count.nullable() })
      .nullable()
      .describe('null: the job has not started to read it.'),
  })
  .meta({ id: 'CsvPreviewReading', description: 'A large file that a job reads.' })

const csvPreviewFailedSchema = z
  .object({
    ...aboutPreview,
    status: z.literal('failed'),
    jobId: z.string().nullable(),
    failure: z.object({ code: z.string(), message: z.string() }),
  })
  .meta({ id: 'CsvPreviewFailed', description: 'A large file that was not read, and why.' })

export const csvPreviewStateSchema = z
  .discriminatedUnion('status', [csvPreviewSchema, csvPreviewReadingSchema, csvPreviewFailedSchema])
  .meta({ id: 'CsvPreviewState' })
export type CsvPreviewState = z.infer<typeof csvPreviewStateSchema>

/** Highest row number in a request. The largest file that can be configured has fewer rows. */
const MAX_ROW = 2_147_483_647

export const csvPreviewParams = z.object({ previewId: recordId })
export const csvRowsQuery = z.strictObject({
  show: z.enum(['all', 'flagged']).default('all'),
  after: inDigits(z.int().min(0).max(MAX_ROW).default(0)).describe(
    'Row after which the list begins; a cursor replaces it',
  ),
  ...pageQuery,
})
export const csvRowPageSchema = pageOf(csvRowSchema).meta({ id: 'CsvRowPage' })
export type CsvRowPage = z.infer<typeof csvRowPageSchema>

export const csvPreviewLimitsSchema = z
  .object({
    bytes: count,
    bytesReadAtOnce: count.describe('Size limit of a file that is read at once; a job reads a larger one.'),
    minutesHeld: count.describe('minutes after the last use'),
    hoursHeldAtMost: count,
  })
  .meta({ id: 'CsvPreviewLimits' })
