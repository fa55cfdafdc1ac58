import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

type Options = {
  env: Record<string, string>
  stdin?: string
  /** output at which the process receives SIGTERM */
  stopAt?: string
}

type Run = { exitCode: number | null; stdout: string; stderr: string }

/** Returns the environment variables that make a process load compiled code from a cache. They have no other effect. */
export function compiledBefore(): Record<string, string> {
  const { NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
}

/** Runs a file of `apps/api/src` as an operator does, with only the given environment. */
export async function runNode(file: string, args: string[], { env, stdin = '', stopAt }: Options): Promise<Run> {
  const path = fileURLToPath(new URL(`../src/${file}`, import.meta.url))
  const child = spawn(process.execPath, [path, ...args], {
    env: { ...compiledBefore(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(stdin)
  child.stdout.on('data', (chunk) => {
    if (stopAt !== undefined && String(chunk).includes(stopAt)) child.kill('SIGTERM')
  })
  const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { exitCode, stdout, stderr }
}
