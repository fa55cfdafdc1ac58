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
  test('letters are small, signs are themselves, Ctrl and Cmd are one', () => {
    expect(pressed('J')).toBe('j')
    expect(pressed('?')).toBe('?')
    expect(pressed('Enter')).toBe('Enter')
    expect(pressed('k', { metaKey: true })).toBe('mod+k')
    expect(pressed('K', { ctrlKey: true })).toBe('mod+k')
  })

  test('Shift is named with letters and named keys, and not with signs', () => {
    expect(pressed('J', { shiftKey: true })).toBe('shift+j')
    expect(pressed('ArrowDown', { shiftKey: true })).toBe('shift+ArrowDown')
    expect(pressed('?', { shiftKey: true })).toBe('?')
  })

  test('a modifier alone, or anything with Alt, is not ours', () => {
    expect(pressed('Shift')).toBeNull()
    expect(pressed('g', { altKey: true })).toBeNull()
  })
})

describe('keys one after the other', () => {
  const commands = [command('inner-n', 'n'), command('n', 'n'), command('prospects', 'g p'), command('audit', 'g a')]

  test('a single key runs at once, and the innermost command wins', () => {
    expect(step('', 'n', commands).run?.id).toBe('inner-n')
  })

  test('the first of two waits for the second', () => {
    expect(step('', 'g', commands)).toEqual({ run: null, pending: 'g' })
    expect(step('g', 'p', commands).run?.id).toBe('prospects')
  })

  test('the second key of a sequence runs the sequence, although it is a key of its own', () => {
    expect(step('g', 'j', [command('next', 'j'), command('jobs', 'g j')]).run?.id).toBe('jobs')
  })

  test('a second key that leads nowhere counts by itself', () => {
    expect(step('g', 'n', commands).run?.id).toBe('inner-n')
    expect(step('g', 'g', commands)).toEqual({ run: null, pending: 'g' })
    expect(step('g', 'z', commands)).toEqual({ run: null, pending: '' })
  })
})

test('of single keys are letters and signs, not what moves, opens or closes', () => {
  expect(['n', '?', 'g p'].every(isOfSingleKeys)).toBe(true)
  expect(['mod+k', 'Escape', 'ArrowDown', 'Enter', ' '].some(isOfSingleKeys)).toBe(false)
})

test('keys are shown as they are written on them', () => {
  expect(keyCaps('g p', false)).toEqual(['G', 'P'])
  expect(keyCaps('mod+k', false)).toEqual(['Ctrl K'])
  expect(keyCaps('mod+k', true)).toEqual(['⌘ K'])
})
