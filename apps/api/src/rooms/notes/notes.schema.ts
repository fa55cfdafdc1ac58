import { z } from 'zod'
import { actorRefSchema } from '../../http/actor-ref.ts'
import { aboutBusiness, freeText, isHiddenFlag } from '../../http/hidden-fields.ts'
import { pageOf } from '../../http/pagination.ts'
import { text } from '../../http/text.ts'

export const NOTE_LENGTH = 5_000

export const addNoteSchema = z.strictObject({ text: text(NOTE_LENGTH), sensitive: z.boolean().default(false) })
export type AddNote = z.output<typeof addNoteSchema>

export const noteSchema = z
  .object({
    id: z.string(),
    businessId: aboutBusiness(),
    text: freeText(z.string(), { instead: null })
      .nullable()
      .describe('null if the reader may not see it: for a sensitive note, or for any note of a do not contact record'),
    sensitive: z.boolean(),
    redacted: isHiddenFlag(),
    author: actorRefSchema,
    createdAt: z.string(),
  })
  .meta({ id: 'Note' })
export type Note = z.infer<typeof noteSchema>

export const notePageSchema = pageOf(noteSchema).meta({ id: 'NotePage' })
