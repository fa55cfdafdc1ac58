import { z } from 'zod'
import { actorRefSchema } from '../../../http/actor-ref.ts'
import { freeText } from '../../../http/hidden-fields.ts'
import { pageOf, pageQuery } from '../../../http/pagination.ts'
import { line, recordId } from '../../../http/text.ts'
import { channelSchema, languageSchema, plainLine, plainText, purposeSchema } from '../content/content.schema.ts'
import { limits } from '../limits.ts'

const shape = {
  name: line(limits.templateNameLength),
  channel: channelSchema,
  purpose: purposeSchema,
  language: languageSchema,
  subject: plainLine(limits.subjectLength).nullish(),
  text: plainText,
}

export const createTemplateSchema = z.strictObject(shape)
export type CreateTemplate = z.output<typeof createTemplateSchema>

export const editTemplateSchema = z.strictObject({
  name: shape.name.optional(),
  channel: shape.channel.optional(),
  purpose: shape.purpose.optional(),
  language: shape.language.optional(),
  subject: shape.subject,
  text: shape.text.optional(),
})
export type EditTemplate = z.output<typeof editTemplateSchema>

export const templateSchema = z
  .object({
    id: z.string(),
    version: z.int(),
    name: freeText(),
    channel: channelSchema,
    purpose: purposeSchema,
    language: z.string(),
    subject: freeText().nullable(),
    text: freeText(),
    createdAt: z.string(),
    createdBy: actorRefSchema,
    updatedAt: z.string(),
  })
  .meta({ id: 'DraftTemplate' })
export type Template = z.infer<typeof templateSchema>

export const templatePageSchema = pageOf(templateSchema).meta({ id: 'DraftTemplatePage' })
export const listTemplatesQuery = z.strictObject({ channel: channelSchema.optional(), ...pageQuery })
export type ListTemplates = z.output<typeof listTemplatesQuery>
export const templateParams = z.object({ templateId: recordId })
