import { isDeepStrictEqual } from 'node:util'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import { z } from 'zod'
import { AppError, type FieldError } from '../lib/app-error.ts'

/** Checks bodies, queries, parameters by their Zod schema; everything that is wrong is told at once, each beside its path. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (data) => {
    const result = schema.safeParse(data)
    return result.success ? { value: result.data } : { error: invalidRequest(result.error.issues) }
  }

export function invalidRequest(issues: readonly z.core.$ZodIssue[]): AppError {
  const errors = issues.flatMap(fieldErrors)
  return new AppError(
    'invalid_request',
    errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join(' '),
    { errors },
  )
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
