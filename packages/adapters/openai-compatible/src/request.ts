import type { PromptParts } from '@prospect/adapter-contract/prompt'

export function endpointOf(baseUrl: string): URL {
  return new URL(`${baseUrl.replace(/\/+$/, '')}/chat/completions`)
}

/** Returns the exact body of a call, which the plan shows and the transport sends. */
export function bodyOf({ messages, responseSchema, maxOutputTokens }: PromptParts, model: string): string {
  return JSON.stringify({
    model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    max_tokens: maxOutputTokens,
    temperature: 0,
    n: 1,
    stream: false,
    response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: responseSchema } },
  })
}
