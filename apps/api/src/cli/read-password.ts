import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { UsageError } from './command.ts'

/**
 * Reads a new password from a file, from standard input (`-`), or twice from the terminal without echo. A password is never an argument, because
 * every user of the machine can read arguments.
 */
export async function readPassword(file: string | undefined): Promise<string> {
  if (file === '-') return withoutLineEnd(await text(process.stdin))
  if (file !== undefined) return readPasswordFile(file)
  if (!process.stdin.isTTY) {
    throw new UsageError(
      'There is no terminal to read the password from: use --password-file <file>, or - for standard input.',
    )
  }
  const password = await ask('Password: ')
  if ((await ask('Repeat the password: ')) !== password) throw new UsageError('The passwords differ.')
  return password
}

function readPasswordFile(file: string): string {
  try {
    return withoutLineEnd(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new UsageError(`--password-file names ${file}, which cannot be read.`, { cause })
  }
}

function withoutLineEnd(typed: string): string {
  return typed.replace(/\r?\n$/, '')
}

/** Reads one line with Node's line editor, whose echo is discarded. */
async function ask(question: string): Promise<string> {
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const editor = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 })
  const interrupted = new Promise<never>((_resolve, reject) => {
    editor.once('SIGINT', () => reject(new UsageError('Nothing was created.')))
    editor.once('close', () => reject(new UsageError('Nothing was created.')))
  })
  try {
    return await Promise.race([editor.question(''), interrupted])
  } finally {
    editor.close()
    process.stderr.write('\n')
  }
}
