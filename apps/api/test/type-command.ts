import { vi } from 'vitest'
import { runCommand } from '../src/cli/run-command.ts'

/**
 * Runs an operator's command in the process of the test, with only this environment. This is a second faster than a separate process. Use `runNode`
 * to test properties of the process itself (standard input, locks of other processes, exit).
 */
export async function typeCommand(args: string[], env: Record<string, string>) {
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const before = process.env
  process.env = { ...env }
  try {
    const exitCode = await runCommand(args, () => {})
    const said = (stream: typeof stdout) => stream.mock.calls.map(([text]) => String(text)).join('')
    return { exitCode, stdout: said(stdout), stderr: said(stderr) }
  } finally {
    process.env = before
    stdout.mockRestore()
    stderr.mockRestore()
  }
}
