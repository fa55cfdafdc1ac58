import { type CheckedPrompt, type PromptParts, promptPartsSchema } from './prompt.ts'
import { promptMark } from './prompt-mark.ts'

/**
 * Marks a prompt as checked, and freezes it: what was checked is what is sent. Called by the assist room behind its last check, by nothing
 * else; a boundary rule refuses any other import. Errors: a ZodError where the prompt is over its bounds.
 */
export function sealPrompt(parts: PromptParts): CheckedPrompt {
  return deepFreeze({ ...promptPartsSchema.parse(parts), [promptMark]: true })
}

function deepFreeze<T>(value: T): T {
  if (value instanceof Object) {
    for (const part of Object.values(value)) deepFreeze(part)
    Object.freeze(value)
  }
  return value
}
