import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from 'vitest'

const module = fileURLToPath(new URL('./log-lines.ts', import.meta.url))

function run(rest: string, stdout: 'pipe' | number = 'pipe') {
  const program = `import { standardOutput } from ${JSON.stringify(module)}
    const out = standardOutput(); out.write('one\\n'); out.write('two\\n'); ${rest}`
  const stdio = ['ignore', stdout, 'pipe'] satisfies ('ignore' | 'pipe' | number)[]
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8', stdio })
}

test.for([
  ['of itself', ''],
  ['at once', 'process.exit(1)'],
  ['by an uncaught error', "throw new Error('a bug')"],
  ['in a later turn', "setTimeout(() => { out.write('three\\n'); process.exit() }, 1)"],
] as const)('lines are written once and in order when the process ends %s', ([, ending], { expect }) => {
  expect(run(ending).stdout).toBe(ending.includes('three') ? 'one\ntwo\nthree\n' : 'one\ntwo\n')
})

test('a full disk does not end the process', ({ expect }) => {
  const full = openSync('/dev/full', 'w')
  const lines =
    "const turns = setInterval(() => out.write('x'.repeat(100_000)), 1); setTimeout(() => { clearInterval(turns); console.error('alive') }, 200)"
  const { status, stderr } = run(lines, full)
  closeSync(full)
  expect({ status, stderr }).toEqual({ status: 0, stderr: 'alive\n' })
})
