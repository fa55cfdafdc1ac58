/** The rules of a password that a page can tell by itself. */
export const leastLength = 12
const mostLength = 256

/** As the server counts them. */
export const lengthOf = (password: string) => [...password.normalize('NFC')].length

/** What a person can mend without asking the server; whether it is a common password, only the server knows. */
export function newPasswordProblem(password: string): string | null {
  const length = lengthOf(password)
  if (length === 0) return 'Choose a password.'
  if (length < leastLength) return `Use at least ${leastLength} characters: ${leastLength - length} more.`
  return length > mostLength ? `Use at most ${mostLength} characters.` : null
}
