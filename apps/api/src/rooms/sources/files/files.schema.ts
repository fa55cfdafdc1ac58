import { z } from 'zod'
import { actorRefSchema, personRefSchema } from '../../../http/actor-ref.ts'
import { pageOf, pageQuery } from '../../../http/pagination.ts'
import { line, recordId } from '../../../http/text.ts'
import { evidenceLimits } from '../../evidence/evidence.ts'

/** Limits of source files; `docs/limits.md` lists them. */
export const fileLimits = {
  files: 10_000,
  nameLength: 255,
  purposeLength: 200,
  legalBasisLength: 200,
} as const

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'Enter a SHA-256 in 64 lower-case hexadecimal digits.')

export const addSourceFileSchema = z.strictObject({
  sha256,
  name: line(fileLimits.nameLength).describe('The name of the file'),
  label: line(evidenceLimits.sourceLength).describe(
    'The source label of the observations that are made from the file. The filter `sourceLabel` finds their prospects.',
  ),
  ownerId: recordId.describe('The member who is responsible for the file'),
  purpose: line(fileLimits.purposeLength),
  legalBasis: line(fileLimits.legalBasisLength),
})
export type AddSourceFile = z.output<typeof addSourceFileSchema>

export const sourceFileSchema = z
  .object({
    id: z.string(),
    sha256: z.string(),
    name: z.string(),
    label: z.string(),
    owner: personRefSchema,
    purpose: z.string(),
    legalBasis: z.string(),
    createdAt: z.string(),
    createdBy: actorRefSchema,
  })
  .meta({ id: 'SourceFile', description: 'A file that prospects were made from. None of its rows is stored with it.' })
export type SourceFile = z.infer<typeof sourceFileSchema>

export const sourceFileQuery = z.strictObject({
  sha256: sha256.optional().describe('Returns the file with this hash, or nothing'),
  ...pageQuery,
})
export const sourceFilePageSchema = pageOf(sourceFileSchema).meta({ id: 'SourceFilePage' })
