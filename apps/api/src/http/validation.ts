import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import { z } from 'zod'
import { AppError, type FieldError } from '../lib/app-error.ts'
import { listed } from '../lib/listed.ts'
import { numeral } from '../lib/numeral.ts'

/** Replaces Zod's messages by messages for people. A schema's own message has precedence. */
z.config({ localeError: (issue) => wordsFor(issue) })

function wordsFor(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'This field is required.'
        : `This must be ${kinds[issue.expected] ?? issue.expected}.`
    case 'invalid_value':
      return `Use ${listed(issue.values.map(String), 'or')}.`
    case 'too_small':
      if (issue.origin === 'string')
        return issue.minimum === 1 ? 'Enter some text.' : `At least ${numeral(issue.minimum)} characters.`
      return issue.origin === 'number' || issue.origin === 'int'
        ? `At least ${numeral(issue.minimum)}.`
        : `At least ${numeral(issue.minimum)} items.`
    case 'too_big':
      if (issue.origin === 'string') return `At most ${numeral(issue.maximum)} characters.`
      if (issue.origin === 'number' || issue.origin === 'int') return `At most ${numeral(issue.maximum)}.`
      return Array.isArray(issue.input)
        ? `At most ${numeral(issue.maximum)} items; ${numeral(issue.input.length)} were sent.`
        : `At most ${numeral(issue.maximum)} items.`
    case 'invalid_union':
      return Array.isArray(issue.options) ? `Use ${listed(issue.options.map(String), 'or')}.` : undefined
    default:
      return undefined
  }
}

const kinds: Partial<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

/** Validates bodies, queries and parameters by their Zod schema. Reports all errors together, each with its path. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (data) => {
    const result = schema.safeParse(data)
    return result.success ? { value: result.data } : { error: invalidRequest(result.error.issues) }
  }

const noParameters = z.strictObject({})

/** Makes every route without a query schema refuse all query parameters, as a body with unknown properties is refused. */
export function refuseUndeclaredQueries(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.schema !== undefined)
      route.schema = { ...route.schema, querystring: route.schema.querystring ?? noParameters }
  })
}

/** Returns true for the schema of a body without properties. */
export function takesNothing(body: unknown): boolean {
  return body instanceof z.ZodObject && Object.keys(body.shape).length === 0
}

/** Lets a request without a body stand for an empty object on the routes whose body has no properties. */
export function acceptMissingBodies(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!takesNothing(route.schema?.body)) return
    route.preValidation = [
      ...[route.preValidation ?? []].flat(),
      (request, _reply, done) => {
        request.body ??= {}
        done()
      },
    ]
  })
}

/** Registers a hook that refuses a query that is not well-formed UTF-8, because text that cannot be decoded would be searched for literally. */
export function refuseUnreadableQueries(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const at = request.url.indexOf('?')
    if (at === -1) return done()
    try {
      decodeURIComponent(request.url.slice(at + 1))
      done()
    } catch (cause) {
      done(new AppError('invalid_request', 'The query of this address cannot be read.', { cause }))
    }
  })
}

/**
 * Maximum number of errors reported per request. Without the limit, a body full of errors would cause a response of ten times its size, even before
 * sign-in.
 */
const MAX_ERRORS = 100

export function invalidRequest(issues: readonly z.core.$ZodIssue[]): AppError {
  const all = onlyOnce(issues.flatMap(fieldErrors))
  const errors = all.slice(0, MAX_ERRORS)
  const told = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  const untold = all.length - errors.length
  if (untold > 0) told.push(`${numeral(untold)} more errors.`)
  return new AppError('invalid_request', told.join(' '), { errors })
}

/** Removes repeated errors. A number out of range can violate two rules that have the same message. */
function onlyOnce(errors: readonly FieldError[]): FieldError[] {
  const told = new Map(errors.map((error) => [`${error.path} ${error.message}`, error]))
  return [...told.values()]
}

/** Returns the errors of an issue, with paths in the notation of the sender, such as `emails.0.value`. */
function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.join('.')
  if (issue.code === 'invalid_union' && issue.errors.length > 0) return unionErrors(issue.errors, issue.path)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: path === '' ? key : `${path}.${key}`,
      code: 'unknown_property',
      message: 'Unknown property.',
    }))
  }
  const code = issue.code === 'custom' && typeof issue.params?.code === 'string' ? issue.params.code : issue.code
  return [{ path, code, message: issue.message }]
}

type Issues = readonly z.core.$ZodIssue[]

/**
 * Returns the errors of a value that fits no option of a union. If it resembles one option more than the others, these are the errors of that option;
 * otherwise one error names what all options accept.
 */
function unionErrors(options: readonly Issues[], path: readonly PropertyKey[]): FieldError[] {
  const within = (issues: Issues) =>
    issues.flatMap((issue) => fieldErrors({ ...issue, path: [...path, ...issue.path] }))
  const ofKind = options.filter((issues) => !issues.some(isOtherKind))
  const [nearest = [], ...others] = leastBy(leastBy(ofKind.length > 0 ? ofKind : options, unknownKeys), countIssues)
  if (others.length === 0) return within(nearest)
  const tied = [nearest, ...others]
  const unknown = within(nearest.filter(({ code }) => code === 'unrecognized_keys'))
  const accepted = accepts(tied)
  return accepted === undefined
    ? within(nearest)
    : [...unknown, { path: path.join('.'), code: 'invalid_union', message: accepted }]
}

/** Returns true if an issue says that the value as a whole has another type than the option. */
function isOtherKind({ code, path }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type' && path.length === 0
}

const countIssues = (issues: Issues) => issues.length

function unknownKeys(issues: Issues): number {
  return issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 0), 0)
}

function leastBy(options: readonly Issues[], count: (issues: Issues) => number): readonly Issues[] {
  const least = Math.min(...options.map(count))
  return options.filter((issues) => count(issues) === least)
}

/** Returns a sentence with what each option accepts; undefined if the issues do not say this. */
function accepts(options: readonly Issues[]): string | undefined {
  const whole = options.map((issues) => issues.find(({ path }) => path.length === 0 && issues.length === 1))
  if (whole.every((issue) => issue?.code === 'invalid_type'))
    return `This must be ${eitherOf(whole.map(({ expected }) => kinds[expected] ?? expected))}.`
  if (whole.every((issue) => issue?.code === 'invalid_value'))
    return `Use ${eitherOf(whole.flatMap(({ values }) => values.map(String)))}.`
  const missing = options.map((issues) =>
    issues.flatMap(({ path: [name] }) => (name === undefined ? [] : [String(name)])),
  )
  return missing.every((names) => names.length > 0)
    ? `Send ${eitherOf(missing.map((names) => listed([...new Set(names)])))}.`
    : undefined
}

function eitherOf(words: readonly string[]): string {
  return listed([...new Set(words)], 'or')
}

/**
 * Returns the function that serializes responses. It does not validate them, because explicit mappings build them and validation would cost more than
 * building them. Tests set `check`: a response that differs from its schema, or has more properties, then fails the request.
 */
export function serializerCompiler(options: { check: boolean }): FastifySerializerCompiler<z.ZodType> {
  if (!options.check) return () => JSON.stringify
  return ({ schema, method, url }) =>
    (data) => {
      const answered = JSON.parse(JSON.stringify(data))
      const parsed = schema.safeParse(answered)
      if (!parsed.success) {
        throw new Error(
          `${method} ${url} responds with something else than its schema: ${z.prettifyError(parsed.error)}`,
        )
      }
      if (!isDeepStrictEqual(parsed.data, answered))
        throw new Error(`${method} ${url} responds with more than its schema.`)
      return JSON.stringify(data)
    }
}
