import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { test } from 'vitest'

const module = fileURLToPath(new URL('./log-lines.ts', import.meta.url))

function run(rest: string): string {
  const program = `import { standardOutput } from ${JSON.stringify(module)}
    const out = standardOutput(); out.write('one\\n'); out.write('two\\n'); ${rest}`
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }).stdout
}

test.for([
  ['of itself', ''],
  ['at once', 'process.exit(1)'],
  ['by an error that nobody caught', "throw new Error('a bug')"],
  ['in a later turn', "setTimeout(() => { out.write('three\\n'); process.exit() }, 1)"],
] as const)('lines are written, each once and in order, when the process ends %s', ([, ending], { expect }) => {
  expect(run(ending)).toBe(ending.includes('three') ? 'one\ntwo\nthree\n' : 'one\ntwo\n')
})
