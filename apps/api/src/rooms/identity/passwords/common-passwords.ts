import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

let common: ReadonlySet<string> | undefined

/**
 * Returns some 49,000 of the most frequent leaked passwords in lower case. They are loaded when the first new password is checked, because they take
 * 10 MB and some 10 ms, and passwords are set rarely. The load is synchronous, because a caller could forget to await an asynchronous check.
 */
function commonPasswords(): ReadonlySet<string> {
  if (common === undefined) {
    const { dictionary }: typeof import('@zxcvbn-ts/language-common') = require('@zxcvbn-ts/language-common')
    common = new Set(dictionary['passwords-common'].map(String))
  }
  return common
}

const MAX_REPEATED_LENGTH = 20

/**
 * True if a password in lower case is a common one, a common one with only digits and signs around it, or a repetition of one. Few common passwords
 * reach the minimum length, but people make longer passwords from them.
 */
export function isCommonPassword(password: string): boolean {
  return candidates(password).some((candidate) => commonPasswords().has(candidate))
}

function candidates(password: string): string[] {
  const word = password.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  return [password, word, repeatedPart(password), repeatedPart(word)].filter((candidate) => candidate !== '')
}

/** Returns the part whose repetition makes up the text, such as `abc` for `abcabcabc`. */
function repeatedPart(text: string): string {
  const length = Math.min(MAX_REPEATED_LENGTH, Math.floor(text.length / 2))
  for (let size = 1; size <= length; size++) {
    const part = text.slice(0, size)
    if (part.repeat(Math.ceil(text.length / size)).slice(0, text.length) === text) return part
  }
  return ''
}
