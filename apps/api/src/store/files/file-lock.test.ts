import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-store.ts'
import { takeLock } from './file-lock.ts'

test('held shared by any number, or exclusively by one', () => {
  const file = join(temporaryFolder(), 'store.lock')
  const take = (alone: boolean) => takeLock(file, { alone, patienceMs: 0 })
  const [first, second] = [take(false), take(false)]
  expect(take(true)).toBeUndefined()
  first?.release()
  expect(take(true)).toBeUndefined()
  second?.release()
  const alone = take(true)
  expect(alone).toBeDefined()
  expect(take(false)).toBeUndefined()
  expect(take(true)).toBeUndefined()
  alone?.release()
  take(false)?.release()
})

test('is released when its holder is killed', async () => {
  const file = join(temporaryFolder(), 'store.lock')
  const source = `import { takeLock } from ${JSON.stringify(join(import.meta.dirname, 'file-lock.ts'))}
    // The lock is stored in a global variable. Otherwise the garbage collector would free it, which releases the lock.
    globalThis.lock = takeLock(${JSON.stringify(file)}, { alone: true, patienceMs: 0 })
    console.log('held'); setInterval(() => {}, 1000)`
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  expect(takeLock(file, { alone: false, patienceMs: 0 })).toBeUndefined()
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  const lock = takeLock(file, { alone: true, patienceMs: 0 })
  expect(lock).toBeDefined()
  lock?.release()
})
