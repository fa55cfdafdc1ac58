import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-store.ts'
import { finishSwap, isSwapUnfinished, swapSteps, swapStore } from './swap-store.ts'

const swap = { staged: 'staged', kept: 'kept' }

function setUp(former: Record<string, string>) {
  const dataDir = temporaryFolder()
  const write = (name: string, text: string) => writeFileSync(join(dataDir, name), text)
  const read = (name: string) => (existsSync(join(dataDir, name)) ? readFileSync(join(dataDir, name), 'utf8') : null)
  mkdirSync(join(dataDir, 'staged'))
  write('staged/prospect.sqlite', 'new')
  write('staged/audit-checkpoints.jsonl', 'new')
  for (const [name, text] of Object.entries(former)) write(name, text)
  return { dataDir, write, read }
}

const whole = {
  'prospect.sqlite': 'old',
  'prospect.sqlite-wal': 'old',
  'prospect.sqlite-shm': 'old',
  'audit-checkpoints.jsonl': 'old',
}

test('the restored store replaces the former one, whose files are kept', () => {
  const { dataDir, read } = setUp(whole)
  swapStore(dataDir, swap)
  expect(read('prospect.sqlite')).toBe('new')
  expect(read('audit-checkpoints.jsonl')).toBe('new')
  for (const [name, text] of Object.entries(whole)) expect(read(`kept/${name}`)).toBe(text)
  expect(readdirSync(dataDir).sort()).toEqual(['audit-checkpoints.jsonl', 'kept', 'prospect.sqlite'])
})

test.each([
  ['a complete store', whole],
  ['no store at all', {}],
  ['a store without a log', { 'prospect.sqlite': 'old' }],
])('after a kill at any step over %s, the next open finishes the swap, and neither store is lost', (_what, former) => {
  const many = swapSteps('', swap).length
  for (let done = 0; done <= many; done++) {
    const { dataDir, write, read } = setUp(former)
    write('swap.json', JSON.stringify(swap))
    for (const step of swapSteps(dataDir, swap).slice(0, done)) step()
    expect(isSwapUnfinished(dataDir)).toBe(true)
    finishSwap(dataDir)
    expect(isSwapUnfinished(dataDir)).toBe(false)
    expect(read('prospect.sqlite')).toBe('new')
    expect(read('audit-checkpoints.jsonl')).toBe('new')
    expect(read('prospect.sqlite-wal')).toBeNull()
    for (const [name, text] of Object.entries(former)) expect(read(`kept/${name}`)).toBe(text)
  }
})
