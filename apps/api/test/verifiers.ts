import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const pathOf = (name: string) => fileURLToPath(new URL(`../../../proof/${name}`, import.meta.url))

/** The verifiers that need nothing of the platform, as commands. */
const verifiers = [
  [process.execPath, pathOf('verify.mjs')],
  ['python3', pathOf('verify.py')],
] as const

export type Verified = { exitCode: number | null; said: string }

/** Runs both verifiers with these arguments. Returns what each prints. */
export function runVerifiers(...args: string[]): Promise<Verified[]> {
  return Promise.all(
    verifiers.map(async ([program, file]) => {
      const child = spawn(program, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
      const [stdout, stderr, [exitCode]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'exit'),
      ])
      return { exitCode, said: stdout + stderr }
    }),
  )
}
