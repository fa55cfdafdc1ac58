import { expect, test } from 'vitest'
import { z } from 'zod'
import type { UserActor } from '../lib/actor.ts'
import {
  aboutBusiness,
  compileHiddenFields,
  contactValue,
  freeText,
  type HiddenFieldsGate,
  hashOfValues,
  hiddenWithObject,
  hideFields,
  hidesItsObject,
  isHiddenFlag,
} from './hidden-fields.ts'

const reader = {} as UserActor
const SECRET = /secret/

/** A gate that hides texts with `secret`, and records whose id begins with `blocked`. Records what it is asked. */
function gate() {
  const asked: string[] = []
  const answers: HiddenFieldsGate = {
    mask: '•••',
    hidesFrom: () => true,
    findHidden: async (_, texts) => {
      asked.push(...texts.map(({ kind, text, ofRecords }) => `${kind}${ofRecords ? ' of records' : ''} ${text}`))
      return new Set(texts.flatMap(({ text }, at) => (SECRET.test(text) ? [at] : [])))
    },
    findBlocked: async (_, ids) => new Set(ids.filter((id) => id.startsWith('blocked'))),
  }
  return { answers, asked }
}

async function shown<S extends z.ZodType>(schema: S, payload: z.input<S>) {
  const plan = compileHiddenFields(schema)
  if (plan === undefined) throw new Error('Nothing is marked.')
  return hideFields(gate().answers, reader, plan, payload)
}

test('marked texts are hidden in lists, records, unions, tuples and optional parts, and unmarked ones are not', async () => {
  const part = z.object({ value: contactValue('email'), code: z.string() })
  const schema = z.object({
    items: z.array(part),
    named: z.record(z.string(), part),
    either: z.union([
      z.object({ kind: z.literal('a'), text: z.string() }),
      z.object({ kind: z.literal('b'), text: freeText() }),
    ]),
    pair: z.tuple([z.string(), freeText()]),
    maybe: part.nullable().optional(),
    texts: z.array(freeText().max(100).describe('Texts')),
    deep: freeText(z.record(z.string(), z.unknown())),
  })
  const secret = { value: 'secret@x', code: 'secret' }
  const payload: z.input<typeof schema> = {
    items: [secret, { value: 'free@x', code: 'c' }],
    named: { one: secret },
    either: { kind: 'b', text: 'A secret.' },
    pair: ['secret', 'secret'],
    maybe: secret,
    texts: ['secret', 'free', ''],
    deep: { a: ['secret', 1, null], b: { c: 'free' } },
  }
  const masked = { value: '•••', code: 'secret' }
  expect(await shown(schema, payload)).toEqual({
    items: [masked, { value: 'free@x', code: 'c' }],
    named: { one: masked },
    either: { kind: 'b', text: '•••' },
    pair: ['secret', '•••'],
    maybe: masked,
    texts: ['•••', 'free', ''],
    deep: { a: ['•••', 1, null], b: { c: 'free' } },
  })
  expect(await shown(schema, { ...payload, either: { kind: 'a', text: 'secret' } })).toMatchObject({
    either: { kind: 'a', text: 'secret' },
  })
})

test('the marked fields of an object about a do-not-contact business are hidden with those inside it, and others are not', async () => {
  const note = z.object({
    businessId: aboutBusiness(),
    text: freeText(),
    number: hiddenWithObject(z.string().nullable(), { instead: null }),
    at: z.string(),
  })
  const schema = z.object({
    business: aboutBusiness(z.object({ id: z.string(), name: z.string() }), 'id'),
    isHidden: isHiddenFlag(),
    parts: z.array(z.object({ text: freeText() })),
    gone: hiddenWithObject(z.array(z.object({ text: freeText() })), { instead: [] }),
    notes: z.array(note),
  })
  const payload = (id: string) => ({
    business: { id, name: 'Karoo' },
    isHidden: false,
    parts: [{ text: 'free' }],
    gone: [{ text: 'free' }, { text: 'secret' }],
    notes: [
      { businessId: 'free', text: 'free', number: '1', at: 'now' },
      { businessId: 'blocked', text: 'free', number: '1', at: 'now' },
    ],
  })
  const notes = [
    { businessId: 'free', text: 'free', number: '1', at: 'now' },
    { businessId: 'blocked', text: '•••', number: null, at: 'now' },
  ]
  expect(await shown(schema, payload('blocked 1'))).toEqual({
    business: { id: 'blocked 1', name: 'Karoo' },
    isHidden: true,
    parts: [{ text: '•••' }],
    gone: [],
    notes,
  })
  expect(await shown(schema, payload('free'))).toEqual({
    ...payload('free'),
    isHidden: true,
    gone: [{ text: 'free' }, { text: '•••' }],
    notes,
  })
})

test('a field that describes its object hides it', async () => {
  const schema = z.array(
    z.object({ domain: hidesItsObject(contactValue('domain')), hash: hiddenWithObject(z.string()) }),
  )
  expect(
    await shown(schema, [
      { domain: 'secret.example', hash: 'a' },
      { domain: 'free.example', hash: 'b' },
    ]),
  ).toEqual([
    { domain: '•••', hash: '•••' },
    { domain: 'free.example', hash: 'b' },
  ])
})

test('an object of a union is hidden by the marks of its own option only, without a field that names the option', async () => {
  const schema = z.object({
    businessId: aboutBusiness(),
    items: z.array(
      z.union([
        z.object({ ownerId: aboutBusiness(), text: freeText() }),
        z.object({ otherId: aboutBusiness(), text: freeText() }),
        z.object({ title: z.string(), text: z.string() }),
        contactValue('email'),
      ]),
    ),
  })
  const items = (owner: string, other: string): z.input<typeof schema>['items'] => [
    { ownerId: owner, text: 'one' },
    { otherId: other, text: 'two' },
    { title: 'Shown', text: 'secret' },
    'secret@x',
    'free@x',
  ]
  expect(await shown(schema, { businessId: 'blocked', items: items('free', 'blocked') })).toEqual({
    businessId: 'blocked',
    items: [
      { ownerId: 'free', text: 'one' },
      { otherId: 'blocked', text: '•••' },
      { title: 'Shown', text: 'secret' },
      ...['•••', '•••'],
    ],
  })
  expect(await shown(schema, { businessId: 'free', items: items('blocked', 'free') })).toEqual({
    businessId: 'free',
    items: [
      { ownerId: 'blocked', text: '•••' },
      { otherId: 'free', text: 'two' },
      { title: 'Shown', text: 'secret' },
      ...['•••', 'free@x'],
    ],
  })
})

test('a value that several options of a union accept is hidden by each of them, and one that none accepts by all', async () => {
  const schema = z.union([z.object({ text: z.string() }), z.object({ text: freeText(), code: z.string().optional() })])
  expect(await shown(schema, { text: 'secret' })).toEqual({ text: '•••' })
  const strict = z.union([z.strictObject({ a: z.string() }), z.strictObject({ text: freeText(), b: z.string() })])
  expect(await shown(strict, { text: 'secret' } as never)).toEqual({ text: '•••' })
})

test('the marks of a pipe are those of the side that is serialized', async () => {
  const schema = z.object({
    computed: freeText().transform((text) => text),
    checked: z.string().pipe(freeText(z.string())),
    prepared: z.preprocess((value) => value, z.object({ text: freeText() })),
    plain: freeText().pipe(z.string()),
    id: aboutBusiness().transform((id) => id),
    hash: hiddenWithObject(z.string()).readonly(),
  })
  const payload = (id: string, text: string) => ({
    ...{ computed: text, checked: text, prepared: { text }, plain: text, id, hash: 'a1' },
  })
  expect(await shown(schema, payload('free', 'secret'))).toEqual({
    ...payload('free', '•••'),
    plain: 'secret',
    hash: 'a1',
  })
  expect(await shown(schema, payload('blocked', 'free'))).toEqual({
    ...payload('blocked', '•••'),
    plain: 'free',
    hash: '•••',
  })
})

test('hashes of values are hidden from these readers in every object, and set no flag', async () => {
  const schema = z.array(
    z.object({
      text: freeText(),
      hash: hashOfValues().describe('A hash'),
      parts: z.array(z.object({ hash: hashOfValues(z.string(), { instead: null }).nullable() })),
      isHidden: isHiddenFlag(),
    }),
  )
  const of = (text: string) => ({ text, hash: 'a1', parts: [{ hash: 'b2' }, { hash: null }], isHidden: false })
  const without = { hash: '•••', parts: [{ hash: null }, { hash: null }] }
  expect(await shown(schema, [of('free')])).toEqual([{ text: 'free', ...without, isHidden: false }])
  expect(await shown(schema, [of('free'), of('secret')])).toEqual([
    { text: 'free', ...without, isHidden: false },
    { text: '•••', ...without, isHidden: true },
  ])
})

test('a tuple hides each position by its own marks', async () => {
  const schema = z.tuple([z.string(), freeText()], contactValue('email'))
  expect(await shown(schema, ['secret', 'secret', 'secret@x', 'free@x'])).toEqual(['secret', '•••', '•••', 'free@x'])
})

test('the gate is asked once about each text, and an answer without hidden texts is passed on as it is', async () => {
  const { answers, asked } = gate()
  const schema = z.array(
    z.object({ value: contactValue('phone'), host: contactValue('domain', z.string(), { ofRecords: true }) }),
  )
  const plan = compileHiddenFields(schema)
  const payload = [1, 2, 3].map(() => ({ value: '082', host: 'x.example' }))
  expect(plan && (await hideFields(answers, reader, plan, payload))).toBe(payload)
  expect(asked).toEqual(['phone 082', 'domain of records x.example'])
})

test('a failure of the gate is thrown', async () => {
  const plan = compileHiddenFields(z.object({ value: contactValue('phone') }))
  const failing = { ...gate().answers, findHidden: () => Promise.reject(new Error('cannot read')) }
  if (plan === undefined) throw new Error('Nothing is marked.')
  await expect(hideFields(failing, reader, plan, { value: '082' })).rejects.toThrow('cannot read')
})
