import { z } from 'zod'
import type { PurposeDeclaration } from './declaration.ts'
import { httpReasons } from './http-reasons.ts'
import { promptMark } from './prompt-mark.ts'

/* The purposes `prospect_summary` and `draft_text`: one chat completion for one prompt, which the assist room has checked. */

export const MAX_PROMPT_BYTES = 32 * 1024
export const MAX_ANSWER_BYTES = 64 * 1024
export const MAX_OUTPUT_TOKENS = 16_384
export const MAX_CALL_MS = 120_000
/** maximum number of concurrent calls, over all tenants */
export const MAX_CONCURRENT_CALLS = 2
const MAX_RESPONSE_SCHEMA_BYTES = 16 * 1024

export const promptPartsSchema = z
  .strictObject({
    messages: z
      .array(z.strictObject({ role: z.enum(['system', 'user']), content: z.string().min(1) }))
      .min(1)
      .max(4),
    /**
     * JSON schema of the answer, without lengths, patterns and formats, because local servers answer without any constraint if their grammar cannot
     * express one
     */
    responseSchema: z.record(z.string(), z.json()),
    maxOutputTokens: z.int().min(1).max(MAX_OUTPUT_TOKENS),
  })
  .refine(({ messages }) => byteLength(messages.map(({ content }) => content).join('')) <= MAX_PROMPT_BYTES, {
    error: `has more than ${MAX_PROMPT_BYTES} bytes of messages.`,
  })
  .refine(({ responseSchema }) => byteLength(JSON.stringify(responseSchema)) <= MAX_RESPONSE_SCHEMA_BYTES, {
    error: `has more than ${MAX_RESPONSE_SCHEMA_BYTES} bytes of response schema.`,
  })

function byteLength(text: string): number {
  return new TextEncoder().encode(text).byteLength
}

export type PromptParts = z.infer<typeof promptPartsSchema>

/** A prompt that the assist room checked. Only `sealPrompt` creates one, and only the assist room may import that function. */
export type CheckedPrompt = Readonly<PromptParts> & { readonly [promptMark]: true }

/** Schema of the query of a provider adapter. It accepts only a sealed prompt, not one that was parsed from JSON. */
export const checkedPromptSchema = z.custom<CheckedPrompt>(isCheckedPrompt, { error: 'is not a checked prompt.' })

export function isCheckedPrompt(value: unknown): value is CheckedPrompt {
  return value instanceof Object && promptMark in value && value[promptMark] === true && Object.isFrozen(value)
}

/** The query is a sealed prompt, which only the assist room composes. */
export const promptDeclaration: PurposeDeclaration = {
  purposes: ['prospect_summary', 'draft_text'],
  answerFields: { always: ['text', 'finish_reason', 'usage'], onRequest: [] },
  query: null,
}

export const completionSchema = z.strictObject({
  /** text of the completion, which is untrusted; empty if the model wrote only reasoning */
  text: z.string(),
  /** reason for the end of the text; `stop` means complete, any other reason incomplete */
  finishReason: z.string().max(60).nullable(),
  /** null if the provider reported no usage or only zeros; missing usage must not count as zero */
  usage: z.strictObject({ promptTokens: z.int().min(0), completionTokens: z.int().min(0) }).nullable(),
  model: z.string().max(200).nullable(),
  /** body of the response as received */
  received: z.string(),
})

export type Completion = z.infer<typeof completionSchema>

export const completionTraceSchema = z.strictObject({
  status: z.int().min(100).max(999).nullable(),
  /** reason for which a request ended without a complete answer; null otherwise */
  reason: z.enum(httpReasons).nullable(),
})

export type CompletionTrace = z.infer<typeof completionTraceSchema>

const count = z.int().min(0)

/** Schema of `details` of a provider adapter: the model, and the operator's limits over all tenants. Costs are in minor units. */
export const providerDetailsSchema = z.strictObject({
  model: z.string().min(1).max(200),
  limits: z.strictObject({
    callsPerMinute: count,
    callsPerDay: count,
    tokensPerDay: count,
    costPerDay: count,
    costPerMonth: count,
    concurrentCalls: z.int().min(1).max(MAX_CONCURRENT_CALLS),
  }),
})

export type ProviderDetails = z.infer<typeof providerDetailsSchema>
