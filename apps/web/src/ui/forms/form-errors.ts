import type { ApiProblem } from '../api/api-problem.ts'
import { fieldName } from '../text/field-names.ts'

/**
 * The server's errors by the field they belong to, as the form library takes them ("emails.0.value"); what is wrong within a list is
 * told at the input of the list. What belongs to no field of this form comes back apart, called by its name in words, so that
 * nothing the server said goes unseen.
 */
export function formErrors(
  problem: Pick<ApiProblem, 'errors' | 'detail' | 'title'>,
  hasField: (path: string) => boolean,
  nameOf: (path: string) => string = nameInWords,
): { fields: Record<string, string>; general: string[] } {
  const fields: Record<string, string> = {}
  const general: string[] = []
  for (const { path, message } of problem.errors) {
    const field = fieldOf(path, hasField)
    if (field === undefined) general.push(path === '' ? message : `${nameOf(path)}: ${message}`)
    else if (fields[field] === undefined) fields[field] = message
    // Of several entries of one list the same is said once.
    else if (!fields[field].includes(message)) fields[field] += ` ${message}`
  }
  if (problem.errors.length === 0) general.push(problem.detail || problem.title)
  return { fields, general }
}

/** The field of a path, or the one that it is part of: 'participants.2' is told at 'participants'. */
function fieldOf(path: string, hasField: (path: string) => boolean): string | undefined {
  if (hasField(path)) return path
  const end = path.lastIndexOf('.')
  return end === -1 ? undefined : fieldOf(path.slice(0, end), hasField)
}

/** 'emails.0.value' → 'Emails'. */
export function nameInWords(path: string): string {
  return fieldName(path.replace(/\.\d+(\..*)?$/, ''))
}
