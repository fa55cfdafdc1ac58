import { countWords } from '../../../ui/text/count-words.ts'

/** Password rules that the client can check. */
export const leastLength = 12
const mostLength = 256

/** Length as the server counts it: composed code points. */
export const lengthOf = (password: string) => [...password.normalize('NFC')].length

/** Message about a new password, or null. Only the server checks for common passwords. */
export function newPasswordProblem(password: string): string | null {
  const length = lengthOf(password)
  if (length === 0) return 'Choose a password.'
  if (length < leastLength)
    return `Use at least ${countWords(leastLength, 'character', 'characters')}: ${leastLength - length} more.`
  return length > mostLength ? `Use at most ${countWords(mostLength, 'character', 'characters')}.` : null
}
