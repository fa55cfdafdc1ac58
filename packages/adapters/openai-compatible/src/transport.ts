import type { NoSettings, Transport } from '@prospect/adapter-contract/adapter'
import type { CheckedPrompt, Completion, CompletionTrace } from '@prospect/adapter-contract/prompt'
import { type Provider, sendPrompt } from './send-prompt.ts'

/**
 * Creates a transport that trusts Node's own certificate authorities. They are not a parameter, so that only tests of `sendPrompt` can replace them.
 */
export function createTransport(
  provider: Omit<Provider, 'ca'>,
): Transport<CheckedPrompt, NoSettings, Completion, CompletionTrace> {
  return { request: (input) => sendPrompt(input, { ...provider, ca: undefined }) }
}
