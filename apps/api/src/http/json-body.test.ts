import fc from 'fast-check'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { roomErrors } from '../rooms/facts.ts'
import { registerJsonBody } from './json-body.ts'
import { errorStatuses, registerProblems } from './problem.ts'

/** Creates an app with one route that returns the body of its request. */
function echo() {
  const app = fastify()
  registerProblems(app, errorStatuses(roomErrors))
  registerJsonBody(app)
  app.post('/', async (request) => ({ body: request.body }))
  return async (payload: string, contentType = 'application/json') => {
    const headers = { 'content-type': contentType }
    const answer = await app.inject({ method: 'POST', url: '/', headers, payload })
    return { status: answer.statusCode, body: answer.json() }
  }
}

/** Generates spellings of the name with any of its characters escaped, because JSON permits an escape for each. */
const anySpelling = fc
  .array(fc.constantFrom('as it is', 'escaped', 'ESCAPED'), { minLength: 9, maxLength: 9 })
  .map((ways) => [...'__proto__'].map((character, at) => spelt(character, ways[at])).join(''))

function spelt(character: string, way: string | undefined): string {
  const number = character.charCodeAt(0).toString(16).padStart(4, '0')
  if (way === undefined || way === 'as it is') return character
  return `\\u${way === 'ESCAPED' ? number.toUpperCase() : number}`
}

test('a property __proto__ is refused in any spelling and at any depth', async () => {
  const post = echo()
  await fc.assert(
    fc.asyncProperty(
      anySpelling,
      fc.constantFrom('{"_":1}', '{"a":[{"_":{}}]}', '{"a":{"b":1,"_":null}}'),
      async (name, body) => {
        const { status, body: answer } = await post(body.replace('_', name))
        expect(status).toBe(400)
        expect(answer.detail).toBe('There is no property __proto__.')
      },
    ),
    // Adds this name to the random ones, which would almost never contain it.
    { examples: [['__proto__', '{"_":1}']] },
  )
})

test('any other body arrives as sent, also with the name or an escape in a value', async () => {
  const post = echo()
  const text = '{"name":"__proto__","other":["\\u0041\\u00e9\\n",{"_proto_":null}],"constructor":1.5}'
  const body = { name: '__proto__', other: ['Aé\n', { _proto_: null }], constructor: 1.5 }
  expect(await post(text)).toEqual({ status: 200, body: { body } })
})

test('a body that nests deeper than twelve levels is refused; siblings and brackets in a text are no levels', async () => {
  const post = echo()
  const nested = (levels: number) => `${'[{"a":'.repeat(levels / 2)}0${'}]'.repeat(levels / 2)}`
  expect((await post(nested(12))).status).toBe(200)
  expect(await post(`[${nested(12)}]`)).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', detail: 'The body nests deeper than 12 levels.' },
  })
  const flat = `{"a":[${'[],{},'.repeat(20)}"${'[{'.repeat(20)}\\"${'{['.repeat(20)}"]}`
  expect((await post(flat)).status).toBe(200)
})

test('a repeated property of an object is refused with its path, in any spelling', async () => {
  const post = echo()
  const message = 'This property is repeated.'
  for (const [body, path] of [
    ['{"a":1,"a":1}', 'a'],
    ['{"a":1,"b":{"a":1},"\\u0061":2}', 'a'],
    ['{"emails":[{"value":"x"},{"value":"y","label":"}","value" : "z"}]}', 'emails.1.value'],
    ['[[],{"a":{"b\\"":[1,2,3],"b\\"":[]}}]', '1.a.b"'],
    ['{"":1,"":2}', ''],
    ['{"toString":1,"toString":2}', 'toString'],
  ] as const)
    expect(await post(body)).toMatchObject({
      status: 400,
      body: {
        code: 'invalid_request',
        detail: path === '' ? message : `${path}: ${message}`,
        errors: [{ path, code: 'repeated_property', message }],
      },
    })
})

test('a property may be repeated in another object, and its name in any text', async () => {
  const post = echo()
  for (const body of [
    '{"a":{"a":[{"a":1},{"a":2}]},"b":{"a":"a\\":"}}',
    '[{"a":1},{"a":1}]',
    '{"a":"b","b":"a","A":",\\\\"}',
    '{}',
    '"a"',
    '["a","a"]',
  ])
    expect(await post(body)).toEqual({ status: 200, body: { body: JSON.parse(body) } })
})

test('any JSON without a repeated property is accepted, and refused once one is repeated', async () => {
  const post = echo()
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 4 })), async (value) => {
      const text = JSON.stringify(value)
      fc.pre(!/__proto__|\\ud/i.test(text))
      expect((await post(text)).status).toBe(200)
      const [name] = Object.keys(value)
      if (name !== undefined)
        expect((await post(`${text.slice(0, -1)},${JSON.stringify(name)}:null}`)).status).toBe(400)
    }),
  )
})

test('half a character is refused with its path, in a text or as a name; a whole one is accepted', async () => {
  const post = echo()
  const message = 'This text contains an incomplete character.'
  for (const [body, path, detail] of [
    ['{"n":null,"i":1,"a":[{"b":"x\\ud800"}]}', 'a.0.b', `a.0.b: ${message}`],
    ['{"a":{"\\uDC00":1}}', 'a.\ufffd', `a.\ufffd: ${message}`],
    ['"\\ud83d x"', '', message],
  ] as const)
    expect(await post(body)).toMatchObject({
      status: 400,
      body: { detail, errors: [{ path, code: 'half_a_character' }] },
    })
  expect(await post('{"a":"\\ud83d\\ude00"}')).toEqual({ status: 200, body: { body: { a: '😀' } } })
})

test('a body that declares another encoding than UTF-8 is refused', async () => {
  const post = echo()
  const { status, body } = await post('{"a":"é"}', 'application/json; charset=utf-16')
  expect([status, body.code]).toEqual([415, 'unsupported_media_type'])
  expect((await post('{}', 'application/json;charset="ISO-8859-1"')).status).toBe(415)
  for (const own of ['application/json; charset=utf-8', 'application/json;charset="UTF8"', 'application/json; v=1'])
    expect(await post('{"a":"é"}', own)).toEqual({ status: 200, body: { body: { a: 'é' } } })
})
