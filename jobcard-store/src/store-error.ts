/** What the command ends with. The guide shows this list. */
export const exitCodes = {
  /** done, or everything is as it should be */
  fine: 0,
  /** something stands in the way, or the store differs from the appendix; this run changed nothing */
  refused: 1,
  /** the command was not typed as it should be, or a setting is wrong */
  usage: 2,
  /** the server could not be reached, or did not let us in */
  unreachable: 3,
  /** the upgrade began and broke off; run it again once the cause is gone */
  interrupted: 4,
} as const

/** A sentence for the operator, with the exit code that belongs to it. */
export class StoreError extends Error {
  readonly exitCode: number

  constructor(exitCode: number, sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.exitCode = exitCode
  }
}

/** The gate of upgrade.sql puts its sentence into this error, which quotes a value that a setting does not know. */
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
/** What the driver says of a connection that ended before the query was sent; it has no code. */
const closedConnection = /closed state/
/** Of the system, and 135 of MariaDB, which says so when there is no room for a new table's file. */
const fullDisk = /No space left on device|errno: (28|135)\b|OS error: 28\b/

type DriverError = Error & { code?: string; errno?: number }

/** What the gate of upgrade.sql said, when it was the gate that ended the script. */
export function stopOf(error: unknown): string | undefined {
  if (!isDriverError(error) || error.errno !== stopError) return undefined
  return stopSentence.exec(error.message)?.[1]
}

/** One sentence for what the driver threw, with the server's own words after it. Errors that are no fault of the outside are thrown on. */
export function sentenceOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return sentenceOf(error.errors[0])
  if (!isDriverError(error)) throw error
  const { code = '', errno = 0 } = error
  // Without a full stop, as the sentences around it need.
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
