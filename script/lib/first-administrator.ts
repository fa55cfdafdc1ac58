import { randomInt } from 'node:crypto'
import type { Environment } from './managed-process.ts'

export type FirstAdministrator = {
  /** instructions for the sign-in, to be printed; they contain a password only if it was generated here */
  signIn: string
  /** environment variables for the API only */
  env: Environment
}

/** Returns the first account of an empty store: with the values of the environment, and generated ones for the rest. */
export function firstAdministrator(env: Environment): FirstAdministrator {
  const email = env.BOOTSTRAP_ADMIN_EMAIL || 'admin@example.com'
  const emailIsInFile = Boolean(env.BOOTSTRAP_ADMIN_EMAIL_FILE)
  const emailEnv = emailIsInFile ? {} : { BOOTSTRAP_ADMIN_EMAIL: email }
  const who = emailIsInFile ? 'Sign in with the address you chose' : `Sign in as ${email}`

  if (env.BOOTSTRAP_ADMIN_PASSWORD || env.BOOTSTRAP_ADMIN_PASSWORD_FILE) {
    return { signIn: `${who} and the password you chose.`, env: emailEnv }
  }
  const password = randomPassword()
  return {
    signIn: `${who}, password ${password}\nThe password is shown only once and stored nowhere. You choose another when you sign in.`,
    env: { ...emailEnv, BOOTSTRAP_ADMIN_PASSWORD: password },
  }
}

/** Returns the environment without the variables of the first administrator. They apply to an empty store only, and only the API may receive them. */
export function withoutFirstAdministrator(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('BOOTSTRAP_ADMIN_')))
}

/** Returns a password with some 139 bits, without letters that look alike, in four groups that can be read aloud. */
function randomPassword(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  const group = () => Array.from({ length: 6 }, () => letters[randomInt(letters.length)]).join('')
  return Array.from({ length: 4 }, group).join('-')
}
