import { type CheckedPrompt, type PromptParts, promptPartsSchema } from './prompt.ts'
import { promptMark } from './prompt-mark.ts'

/**
 * Marks a prompt as checked and freezes it, so that the sent prompt is exactly the checked one. Only the assist room calls this function, after its
 * last check; an import rule forbids any other caller. Errors: a ZodError (the prompt exceeds its limits).
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
