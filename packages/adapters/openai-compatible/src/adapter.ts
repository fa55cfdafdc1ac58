import { isAbsolute } from 'node:path'
import { type Adapter, type NoSettings, noSettingsSchema } from '@prospect/adapter-contract/adapter'
import { isPrivateAddress } from '@prospect/adapter-contract/addresses'
import { idOr, readAdapterConfig } from '@prospect/adapter-contract/config'
import {
  type CheckedPrompt,
  checkedPromptSchema,
  MAX_ANSWER_BYTES,
  MAX_CALL_MS,
  type ProviderDetails,
  promptDeclaration,
  providerDetailsSchema,
} from '@prospect/adapter-contract/prompt'
import { isAddressLiteral } from '@prospect/adapter-contract/web-page'
import { z } from 'zod'
import manifest from '../package.json' with { type: 'json' }
import { bodyOf, endpointOf } from './request.ts'

/** The operator's configuration in ADAPTERS_FILE. */
export type OpenAiCompatibleConfig = ProviderDetails & {
  id?: string
  /** base URL including the version of the API, such as `http://127.0.0.1:8080/v1` */
  baseUrl: string
  /** absolute path of a file that contains only the API key; the file is read for each call */
  keyFile?: string
}

const configSchema = z.strictObject({
  id: idOr('openai-compatible'),
  baseUrl: z.string({ error: 'must be a text.' }).check((context) => {
    const problem = problemOf(context.value)
    if (problem !== undefined) context.issues.push({ code: 'custom', message: problem, input: context.value })
  }),
  keyFile: z.string({ error: 'must be a text.' }).refine(isAbsolute, { error: 'must be an absolute path.' }).optional(),
  ...providerDetailsSchema.shape,
})

/**
 * Returns what is wrong with a base URL; undefined if it is valid. Unencrypted calls are allowed only in private networks; a host name is resolved
 * and checked for each call.
 */
function problemOf(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'must be a web address.'
  if (url.username !== '' || url.password !== '') return 'must not contain a name or a password: use keyFile.'
  if (url.search !== '' || url.hash !== '' || text.includes('?') || text.includes('#')) return 'must end with its path.'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (url.protocol === 'http:' && isAddressLiteral(url.hostname) && !isPrivateAddress(host))
    return 'must use https, as its address is not private.'
  return undefined
}

/**
 * Creates an adapter that sends one chat completion for one checked prompt to the operator's own server. Errors: one sentence for a wrong
 * configuration.
 */
export function openAiCompatibleAdapter(config: OpenAiCompatibleConfig): Adapter<CheckedPrompt, NoSettings> {
  const { id, baseUrl, keyFile, model, limits } = readAdapterConfig('openai-compatible', configSchema, config)
  const endpoint = endpointOf(baseUrl)
  return {
    id,
    version: manifest.version,
    answersFrom: 'one_provider',
    declaration: { ...promptDeclaration, minRecords: 1, settings: [] },
    querySchema: checkedPromptSchema,
    settingsSchema: noSettingsSchema,
    details: { model, limits } satisfies ProviderDetails,
    plan: ({ query }) => ({
      kind: 'planned',
      requests: [{ summary: `Request one completion from the model ${model}`, content: bodyOf(query, model) }],
      maxRequests: 1,
      maxBytes: MAX_ANSWER_BYTES,
      maxDurationMs: MAX_CALL_MS,
      maxRecords: 1,
      fields: ['text', 'finish_reason', 'usage'],
    }),
    load: async () => {
      const { createTransport } = await import('./transport.ts')
      return createTransport({ endpoint, model, keyFile })
    },
  }
}
