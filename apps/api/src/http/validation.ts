import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import { z } from 'zod'
import { AppError, type FieldError } from '../lib/app-error.ts'

/** Zod's own words for a program become ours for a person; a schema that says something better keeps it. */
z.config({ localeError: (issue) => wordsFor(issue) })

function wordsFor(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'This is missing.' : `This must be ${kinds[issue.expected] ?? issue.expected}.`
    case 'invalid_value':
      return `Use ${new Intl.ListFormat('en', { type: 'disjunction' }).format(issue.values.map(String))}.`
    case 'too_small':
      if (issue.origin === 'string')
        return issue.minimum === 1 ? 'Write something here.' : `At least ${issue.minimum} characters.`
      return issue.origin === 'number' || issue.origin === 'int'
        ? `At least ${issue.minimum}.`
        : `At least ${issue.minimum} of these.`
    case 'too_big':
      if (issue.origin === 'string') return `At most ${issue.maximum} characters.`
      return issue.origin === 'number' || issue.origin === 'int'
        ? `At most ${issue.maximum}.`
        : `At most ${issue.maximum} of these.`
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
}

/** Checks bodies, queries, parameters by their Zod schema; what is wrong is told at once, each beside its path. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (data) => {
    const result = schema.safeParse(data)
    return result.success ? { value: result.data } : { error: invalidRequest(result.error.issues) }
  }

const noParameters = z.strictObject({})

/** A route that declares no query takes none: a parameter that nobody reads is refused, as in a body. */
export function refuseUndeclaredQueries(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.schema !== undefined)
      route.schema = { ...route.schema, querystring: route.schema.querystring ?? noParameters }
  })
}

/** A query is well-formed UTF-8, as a body is: what cannot be decoded would otherwise be looked for as it was written. */
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

/** Mistakes that are told of one request. A body of nothing else would be answered with ten times its size, before anybody has signed in. */
const MAX_ERRORS = 100

export function invalidRequest(issues: readonly z.core.$ZodIssue[]): AppError {
  const all = onlyOnce(issues.flatMap(fieldErrors))
  const errors = all.slice(0, MAX_ERRORS)
  const told = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  const untold = all.length - errors.length
  if (untold > 0) told.push(`${untold.toLocaleString('en')} more are wrong.`)
  return new AppError('invalid_request', told.join(' '), { errors })
}

/** A number past every bound breaks two rules that say the same of it. */
function onlyOnce(errors: readonly FieldError[]): FieldError[] {
  const told = new Map(errors.map((error) => [`${error.path} ${error.message}`, error]))
  return [...told.values()]
}

/** The path is as the sender wrote it: `emails.0.value`. */
function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: path === '' ? key : `${path}.${key}`,
      code: 'unknown_property',
      message: 'There is no such property.',
    }))
  }
  const code = issue.code === 'custom' && typeof issue.params?.code === 'string' ? issue.params.code : issue.code
  return [{ path, code, message: issue.message }]
}

/**
 * Answers are built by explicit mappings and written as they are. Tests ask for `check`: then an answer that is not what its
 * schema says, or says more, fails the request. Checking each one in production would cost more than making it.
 */
export function serializerCompiler(options: { check: boolean }): FastifySerializerCompiler<z.ZodType> {
  if (!options.check) return () => JSON.stringify
  return ({ schema, method, url }) =>
    (data) => {
      const answered = JSON.parse(JSON.stringify(data))
      const parsed = schema.safeParse(answered)
      if (!parsed.success) {
        throw new Error(`${method} ${url} answers what its schema does not say: ${z.prettifyError(parsed.error)}`)
      }
      if (!isDeepStrictEqual(parsed.data, answered))
        throw new Error(`${method} ${url} answers more than its schema says.`)
      return JSON.stringify(data)
    }
}
