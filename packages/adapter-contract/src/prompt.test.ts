import { describe, expect, test } from 'vitest'
import { checkedPromptSchema, isCheckedPrompt, MAX_PROMPT_BYTES, type PromptParts } from './prompt.ts'
import { sealPrompt } from './seal-prompt.ts'

const parts: PromptParts = {
  messages: [{ role: 'user', content: 'Windpumps' }],
  responseSchema: { type: 'object', properties: { text: { type: 'string' } } },
  maxOutputTokens: 100,
}

test('only a sealed prompt is a checked one, and nothing in it can be changed', () => {
  const prompt = sealPrompt(parts)
  expect(isCheckedPrompt(prompt)).toBe(true)
  expect(checkedPromptSchema.parse(prompt)).toBe(prompt)
  expect(prompt).toMatchObject(parts)
  expect(() => Object.assign(prompt.messages[0] ?? {}, { content: 'other' })).toThrow(TypeError)
  expect(() => Object.assign(prompt.responseSchema, { type: 'string' })).toThrow(TypeError)
  expect(() => prompt.messages.push({ role: 'user', content: 'more' })).toThrow(TypeError)
})

test('sealing leaves the parts as they were, and a later change of them does not reach the prompt', () => {
  const mine = structuredClone(parts)
  const prompt = sealPrompt(mine)
  mine.messages.push({ role: 'user', content: 'more' })
  expect(prompt.messages).toHaveLength(1)
})

test.each([
  ['the parts themselves', parts],
  ['a copy', { ...sealPrompt(parts) }],
  ['a copy with a change', { ...sealPrompt(parts), maxOutputTokens: 9 }],
  ['what JSON makes of it', JSON.parse(JSON.stringify(sealPrompt(parts)))],
  ['a clone', structuredClone(sealPrompt(parts))],
  ['null', null],
  ['a text', 'Windpumps'],
])('%s is no checked prompt', (_what, value) => {
  expect(checkedPromptSchema.safeParse(value).success).toBe(false)
})

describe('a prompt over its bounds is not sealed', () => {
  const twoBytes = 'é'.repeat(MAX_PROMPT_BYTES / 2)
  test('which count bytes, not characters', () => {
    expect(sealPrompt({ ...parts, messages: [{ role: 'user', content: twoBytes }] }).messages).toHaveLength(1)
    expect(() => sealPrompt({ ...parts, messages: [{ role: 'user', content: `${twoBytes}a` }] })).toThrow(
      'bytes of messages',
    )
    expect(() =>
      sealPrompt({
        ...parts,
        messages: [
          { role: 'system', content: 'a' },
          { role: 'user', content: twoBytes },
        ],
      }),
    ).toThrow('bytes of messages')
  })

  test.each([
    ['no message', { messages: [] }],
    ['an assistant speaking', { messages: [{ role: 'assistant', content: 'x' }] }],
    ['no output', { maxOutputTokens: 0 }],
    ['an unknown property', { tools: [] }],
    ['a schema of more than 16 KiB', { responseSchema: { title: 'x'.repeat(17_000) } }],
  ])('%s', (_what, part) => {
    expect(() => sealPrompt({ ...parts, ...part } as PromptParts)).toThrow()
  })
})
