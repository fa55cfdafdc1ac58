import { isIP } from 'node:net'
import { z } from 'zod'
import { adapterIdSchema } from './adapter.ts'

/* Functions that parse the configuration of adapters in ADAPTERS_FILE. */

/** Returns the schema of an adapter's id, with a default. Two configurations of one adapter need different ids. */
export const idOr = (usual: string) => adapterIdSchema.default(usual)

/** Schema of a name server. It is given by its address, because a name would have to be resolved first. */
export const nameServerFields = {
  address: z
    .string({ error: 'must be a text.' })
    .refine((address) => isIP(address) !== 0, { error: 'must be an IP address.' }),
  port: z.int({ error: 'must be a port.' }).min(1).max(65_535).default(53),
}

/** Parses the values that an operator wrote in ADAPTERS_FILE. Errors: one sentence that names each wrong setting without showing its value. */
export function readAdapterConfig<T>(adapter: string, schema: z.ZodType<T>, config: unknown): T {
  const parsed = schema.safeParse(config)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the configuration'} ${message}`)
  throw new Error(`The ${adapter} adapter is configured wrongly: ${problems.join(' ')}`)
}
