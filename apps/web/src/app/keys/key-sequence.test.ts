import { describe, expect, test } from 'vitest'
import type { RunnableAction } from '../../ui/actions/actions.ts'
import { isOfSingleKeys, keyCaps, keyName, step } from './key-sequence.ts'

const command = (id: string, keys: string): RunnableAction => ({
  id,
  keys,
  label: id,
  group: 'Test',
  run: () => undefined,
})
const pressed = (key: string, held: Partial<KeyboardEvent> = {}) =>
  keyName({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held })

describe('the name of a key', () => {
  test('letters are lower case, signs stay, Ctrl and Cmd are the same', () => {
    expect(pressed('J')).toBe('j')
    expect(pressed('?')).toBe('?')
    expect(pressed('Enter')).toBe('Enter')
    expect(pressed('k', { metaKey: true })).toBe('mod+k')
    expect(pressed('K', { ctrlKey: true })).toBe('mod+k')
  })

  test('Shift is part of the name of letters and named keys, not of signs', () => {
    expect(pressed('J', { shiftKey: true })).toBe('shift+j')
    expect(pressed('ArrowDown', { shiftKey: true })).toBe('shift+ArrowDown')
    expect(pressed('?', { shiftKey: true })).toBe('?')
  })

  test('ignores single modifiers and combinations with Alt', () => {
    expect(pressed('Shift')).toBeNull()
    expect(pressed('g', { altKey: true })).toBeNull()
  })
})

describe('key sequences', () => {
  const commands = [command('inner-n', 'n'), command('n', 'n'), command('prospects', 'g p'), command('audit', 'g a')]

  test('a single key runs at once, and the innermost command wins', () => {
    expect(step('', 'n', commands).run?.id).toBe('inner-n')
  })

  test('the first of two waits for the second', () => {
    expect(step('', 'g', commands)).toEqual({ run: null, pending: 'g' })
    expect(step('g', 'p', commands).run?.id).toBe('prospects')
  })

  test('the second key of a sequence runs the sequence even if it is also a shortcut alone', () => {
    expect(step('g', 'j', [command('next', 'j'), command('jobs', 'g j')]).run?.id).toBe('jobs')
  })

  test('a second key that completes nothing is handled on its own', () => {
    expect(step('g', 'n', commands).run?.id).toBe('inner-n')
    expect(step('g', 'g', commands)).toEqual({ run: null, pending: 'g' })
    expect(step('g', 'z', commands)).toEqual({ run: null, pending: '' })
  })
})

test('single keys are letters and signs, not keys that move, open or close', () => {
  expect(['n', '?', 'g p'].every(isOfSingleKeys)).toBe(true)
  expect(['mod+k', 'Escape', 'ArrowDown', 'Enter', ' '].some(isOfSingleKeys)).toBe(false)
})

test('keys are shown with their labels', () => {
  expect(keyCaps('g p', false)).toEqual(['G', 'P'])
  expect(keyCaps('mod+k', false)).toEqual(['Ctrl K'])
  expect(keyCaps('mod+k', true)).toEqual(['⌘ K'])
})
