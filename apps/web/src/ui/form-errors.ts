import type { ApiProblem } from './api-problem.ts'

/**
 * The server's errors by the field they belong to, as the form library takes them ("emails.0.value"); what belongs to no
 * field of this form comes back apart, so that nothing the server said goes unseen.
 */
export function formErrors(
  problem: ApiProblem,
  hasField: (path: string) => boolean,
): { fields: Record<string, string>; general: string[] } {
  const fields: Record<string, string> = {}
  const general: string[] = []
  for (const { path, message } of problem.errors) {
    if (!hasField(path)) general.push(path === '' ? message : `${path}: ${message}`)
    else fields[path] = fields[path] === undefined ? message : `${fields[path]} ${message}`
  }
  if (problem.errors.length === 0) general.push(problem.detail || problem.title)
  return { fields, general }
}
