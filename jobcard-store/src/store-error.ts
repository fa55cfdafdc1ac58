/** Exit codes of the command. The guide lists them too. */
export const exitCodes = {
  /** done, or everything is as required */
  fine: 0,
  /** an obstacle, or a difference from the appendix; this run changed nothing */
  refused: 1,
  /** wrong arguments or an invalid setting */
  usage: 2,
  /** the server could not be reached or refused the sign-in */
  unreachable: 3,
  /** the upgrade began and was interrupted; run it again after the cause is fixed */
  interrupted: 4,
} as const

/** An error with a sentence for the operator and an exit code. */
export class StoreError extends Error {
  readonly exitCode: number

  constructor(exitCode: number, sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.exitCode = exitCode
  }
}

/**
 * Error code with which upgrade.sql stops itself: "unknown storage engine". The script sets the engine to its sentence, which the error message
 * quotes.
 */
const stopError = 1286
const stopSentence = /UPGRADE STOPPED, NOTHING WAS CHANGED: ([\s\S]*)'$/

const lostConnection = new Set(['PROTOCOL_CONNECTION_LOST', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'])
const serverErrors: Record<number, string> = {
  1021: 'The disk of the server is full.',
  1044: 'The account may not use this database.',
  1045: 'The server does not know this user with this password.',
  1049: 'There is no database of that name.',
  1053: 'The server is shutting down.',
  1114: 'The server has no room left for the table: its disk or tablespace is full.',
  1142: 'The account lacks a privilege.',
  1205: 'Another program holds a lock on the table.',
  1290: 'The server is set to read only.',
  1698: 'The server does not let this user in.',
  1836: 'The server is set to read only.',
  1927: 'The connection was ended by somebody at the server.',
  3159: 'The server wants an encrypted connection: set --tls-ca.',
}
/** Matches the driver's error for a connection that was closed before the query was sent. This error has no code. */
const closedConnection = /closed state/
/** Matches a full disk: the system's error 28, and error 135 of MariaDB, which reports it if there is no space for the file of a new table. */
const fullDisk = /No space left on device|errno: (28|135)\b|OS error: 28\b/

type DriverError = Error & { code?: string; errno?: number }

/** Returns the sentence with which upgrade.sql stopped itself; undefined for any other error. */
export function stopOf(error: unknown): string | undefined {
  if (!isDriverError(error) || error.errno !== stopError) return undefined
  return stopSentence.exec(error.message)?.[1]
}

/** Returns a sentence for an error of the driver, followed by the server's message. Throws the error again if it is not from the driver. */
export function sentenceOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return sentenceOf(error.errors[0])
  if (!isDriverError(error)) throw error
  const { code = '', errno = 0 } = error
  // Removes the final full stop, because the message becomes part of a sentence.
  const message = error.message.replace(/\.$/, '')
  if (lostConnection.has(code) || closedConnection.test(message))
    return `The connection to the server was lost (${message}).`
  if (code === 'ECONNREFUSED' || code === 'ENOENT') return `No server answers there (${message}).`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `The name of the server cannot be looked up (${message}).`
  if (fullDisk.test(message)) return `The disk of the server is full (${message}).`
  const known = serverErrors[errno]
  return `${known === undefined ? '' : `${known} `}The server answered: ${message}.`
}

function isDriverError(error: unknown): error is DriverError {
  return error instanceof Error && ('errno' in error || 'code' in error || 'fatal' in error)
}
