import type { Completion } from '@prospect/adapter-contract/prompt'
import { z } from 'zod'

const tokens = z.int().min(0).optional().catch(undefined)

/** Schema of those parts of a response that are used. Servers add many others. */
const answerSchema = z.object({
  model: z.string().nullish().catch(null),
  choices: z.tuple([
    z.object({
      finish_reason: z.string().nullish().catch(null),
      message: z.object({ content: z.string().nullish() }),
    }),
  ]),
  usage: z.object({ prompt_tokens: tokens, completion_tokens: tokens }).nullish().catch(null),
})

const MAX_FINISH_REASON_LENGTH = 60
const MAX_MODEL_LENGTH = 200

/** Parses the completion in a body. Returns undefined if the body is not a response of the protocol, or contains several completions. */
export function readCompletion(received: string): Completion | undefined {
  const parsed = answerSchema.safeParse(parseJson(received))
  if (!parsed.success) return undefined
  const { model, choices, usage } = parsed.data
  const [choice] = choices
  return {
    text: choice.message.content ?? '',
    finishReason: choice.finish_reason?.slice(0, MAX_FINISH_REASON_LENGTH) ?? null,
    usage: usageOf(usage?.prompt_tokens, usage?.completion_tokens),
    model: model?.slice(0, MAX_MODEL_LENGTH) ?? null,
    received,
  }
}

/** Returns the usage; null if it is missing or zero. Local servers report zeros, and no prompt has zero tokens. */
function usageOf(promptTokens = 0, completionTokens = 0): Completion['usage'] {
  return promptTokens === 0 ? null : { promptTokens, completionTokens }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
