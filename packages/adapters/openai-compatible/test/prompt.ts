import type { PromptParts } from '@prospect/adapter-contract/prompt'
import { sealPrompt } from '@prospect/adapter-contract/seal-prompt'

export const parts: PromptParts = {
  messages: [
    { role: 'system', content: 'Answer with the word karoo.' },
    { role: 'user', content: '[{"E1":"Windpumps since 1974 — “the best”"}]' },
  ],
  responseSchema: { type: 'object', properties: { receipt: { type: 'string' } }, required: ['receipt'] },
  maxOutputTokens: 300,
}

export const prompt = sealPrompt(parts)

export const limits = {
  callsPerMinute: 10,
  callsPerDay: 100,
  tokensPerDay: 100_000,
  costPerDay: 0,
  costPerMonth: 0,
  concurrentCalls: 1,
}

/** Returns a response body in the form of an OpenAI-compatible server. */
export function completion(part: Record<string, unknown> = {}): string {
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'llama-3',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: '{"receipt":"karoo"}' } }],
    usage: { prompt_tokens: 41, completion_tokens: 7, total_tokens: 48 },
    ...part,
  })
}
