import { z } from 'zod'

/** Schema of a field in the form that starts a job. Fields are derived from the kind's input schema, so that the two cannot differ. */
export const jobFieldSchema = z.object({
  name: z.string().describe('The property of the input.'),
  label: z.string(),
  hint: z.string().nullable(),
  type: z.enum(['integer', 'text']),
  minimum: z.number().nullable().describe('For an integer.'),
  maximum: z.number().nullable().describe('For an integer, or the length of a text.'),
  initial: z.union([z.string(), z.number()]).nullable(),
  isRequired: z.boolean().describe('false: the field may be left empty.'),
})
export type JobField = z.infer<typeof jobFieldSchema>

const property = z.object({
  title: z.string().optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
  type: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  anyOf: z.array(z.record(z.string(), z.unknown())).optional(),
})
const object = z.object({
  properties: z.record(z.string(), property).default({}),
  required: z.array(z.string()).default([]),
})

/**
 * Returns the fields of an input in the order of its schema, with the titles and descriptions of its `meta`. Throws for a type that forms do not
 * support, because a kind that people start must not have such an input.
 */
export function describeFields(kind: string, input: z.ZodType): JobField[] {
  const { properties, required } = object.parse(z.toJSONSchema(input, { io: 'input' }))
  return Object.entries(properties).map(([name, found]) => {
    const [inner, ...others] = found.anyOf?.filter(({ type }) => type !== 'null') ?? []
    const { type, minimum, maximum, maxLength } = inner === undefined ? found : property.parse(inner)
    if (others.length > 0 || (type !== 'integer' && type !== 'string')) {
      throw new Error(`The kind ${kind} has the input ${name}, for which the form has no field.`)
    }
    const initial = z.union([z.string(), z.number()]).safeParse(found.default)
    return {
      name,
      label: found.title ?? name,
      hint: found.description ?? null,
      type: type === 'integer' ? ('integer' as const) : ('text' as const),
      minimum: minimum ?? null,
      maximum: maximum ?? maxLength ?? null,
      initial: initial.success ? initial.data : null,
      isRequired: required.includes(name),
    }
  })
}
