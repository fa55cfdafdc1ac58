import type { ApiProblem } from '../api/api-problem.ts'
import { fieldName } from '../text/field-names.ts'

/**
 * Groups the server's errors by the fields of a form, as the form library expects them ("emails.0.value"). An error inside a list is shown at the
 * list's input. Errors about fields that the form lacks are returned in `general`, with the field's name in words, so that none is lost.
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
    // Entries of one list can have the same message; show it once.
    else if (!fields[field].includes(message)) fields[field] += ` ${message}`
  }
  if (problem.errors.length === 0) general.push(problem.detail || problem.title)
  return { fields, general }
}

/** The form field that shows an error at `path`: the path itself, or its nearest parent. 'participants.2' is shown at 'participants'. */
function fieldOf(path: string, hasField: (path: string) => boolean): string | undefined {
  if (hasField(path)) return path
  const end = path.lastIndexOf('.')
  return end === -1 ? undefined : fieldOf(path.slice(0, end), hasField)
}

/** 'emails.0.value' becomes 'Emails'. */
export function nameInWords(path: string): string {
  return fieldName(path.replace(/\.\d+(\..*)?$/, ''))
}
