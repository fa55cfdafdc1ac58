import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const module = fileURLToPath(new URL('./standard-output.ts', import.meta.url))

test('a full disk does not stop the process', () => {
  const program = `import { standardOutput } from ${JSON.stringify(module)}
    standardOutput.write('one\\n'); setTimeout(() => console.error('alive'), 50)`
  const full = openSync('/dev/full', 'w')
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    stdio: ['ignore', full, 'pipe'],
  })
  closeSync(full)
  expect({ status, stderr }).toEqual({ status: 0, stderr: 'alive\n' })
})
