import { z } from 'zod'
import { answerLimits } from './answer-limits.ts'
import type { ReadClaim, Rejected } from './validate-answer.rules.ts'

const answerSchema = z.strictObject({
  receipt: z.string().max(100),
  claims: z
    .array(
      z.strictObject({
        text: z.string().trim().min(1).max(answerLimits.claimLength),
        citations: z
          .array(
            z.strictObject({
              item: z.string().max(10),
              quotes: z.array(z.string().min(1).max(answerLimits.quoteLength)).min(1).max(answerLimits.quotes),
            }),
          )
          .min(1)
          .max(answerLimits.quotes)
          .refine((citations) => citations.reduce((sum, { quotes }) => sum + quotes.length, 0) <= answerLimits.quotes),
      }),
    )
    .max(answerLimits.claims),
})

export type Answered = { text: string; finishReason: string | null }

/** Reads the form of an answer, not yet its texts. The adapter limits the length of an answer. Pure. */
export function readAnswer(
  { text, finishReason }: Answered,
  receipt: string,
): Rejected | { kind: 'parsed'; claims: ReadClaim[] } {
  if (finishReason !== 'stop') return { kind: 'rejected', reason: 'answer_cut_off' }
  const parsed = answerSchema.safeParse(parseJson(text))
  if (!parsed.success) return { kind: 'rejected', reason: 'schema_mismatch' }
  if (parsed.data.receipt !== receipt) return { kind: 'rejected', reason: 'receipt_mismatch' }
  if (parsed.data.claims.length === 0) return { kind: 'rejected', reason: 'no_claims' }
  return { kind: 'parsed', claims: parsed.data.claims }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
