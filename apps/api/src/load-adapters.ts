import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { type Adapter, adapterSchema } from '@prospect/adapter-contract/adapter'
import { z } from 'zod'
import { ConfigError } from './config.ts'

/** Adapters from ADAPTERS_FILE. Approvals of sources are bound to the digest of the file and to the version of their adapter. */
export type LoadedAdapters = {
  /** digest of the file; null if ADAPTERS_FILE is not set */
  file: { sha256: string } | null
  items: readonly Adapter[]
}

export const noAdapters: LoadedAdapters = { file: null, items: [] }

const MAX_ADAPTERS = 20
/** Time limit of the import. Without it an import that never settles would end the process silently, because no other handle is open yet. */
const MAX_LOAD_MS = 30_000

const listSchema = z
  .array(adapterSchema, { error: 'must be a list of adapters.' })
  .max(MAX_ADAPTERS, { error: `must list at most ${MAX_ADAPTERS} adapters.` })
  .refine((adapters) => new Set(adapters.map(({ id }) => id)).size === adapters.length, {
    error: 'must not use an id twice.',
  })

/**
 * Imports the ES module that the operator names, and with it the adapters; the API itself contains no adapter. The transports of the adapters are
 * imported only when a source is used. The digest covers the file itself, not its imports. Throws a ConfigError with one sentence if the file cannot
 * be read or run, or does not list adapters.
 */
export async function loadAdapters(path: string | undefined): Promise<LoadedAdapters> {
  if (path === undefined) return noAdapters
  const sha256 = await digestOf(path)
  const parsed = listSchema.safeParse(await defaultExportOf(path))
  if (!parsed.success) throw refusal(path, `has a default export that ${problemOf(parsed.error)}`)
  if ((await digestOf(path)) !== sha256) throw refusal(path, 'changed while it was loaded. Start again.')
  return { file: { sha256 }, items: parsed.data }
}

async function digestOf(path: string): Promise<string> {
  try {
    return createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
  } catch (cause) {
    throw refusal(path, 'cannot be read. Check the path, and that this user may read it.', cause)
  }
}

async function defaultExportOf(path: string): Promise<unknown> {
  let module: object
  try {
    module = await inTime(import(pathToFileURL(path).href))
  } catch (cause) {
    const [problem] = (cause instanceof Error ? cause.message : String(cause)).split('\n')
    throw refusal(path, `cannot be run: ${problem}`, cause)
  }
  if ('default' in module) return module.default
  throw refusal(path, 'has no default export. Export a list of adapters by "export default".')
}

async function inTime(loading: Promise<object>): Promise<object> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('it did not finish within 30 seconds.')), MAX_LOAD_MS)
  return Promise.race([loading, late]).finally(() => clearTimeout(timer))
}

function problemOf(error: z.ZodError): string {
  const [issue] = error.issues
  const at = issue?.path.length === 0 ? '' : `is wrong at ${issue?.path.join('.')}: it `
  return `${at}${issue?.message}`
}

function refusal(path: string, problem: string, cause?: unknown): ConfigError {
  return new ConfigError(`ADAPTERS_FILE names ${path}, which ${problem}`, { cause })
}
