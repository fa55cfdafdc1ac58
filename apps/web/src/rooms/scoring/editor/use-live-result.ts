import { useDebouncedValue } from '@mantine/hooks'
import { type ScoringContent, type ScoringVersion, sampleRuleSetVersion, tryRuleSetVersion } from '@prospect/api-client'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { isProblem } from '../../../ui/api/api-problem.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { answersAbout } from '../../../ui/api/query-keys.ts'
import type { FieldErrors } from './typed-content.ts'

/** Delay after the last change before sample and trial are evaluated. */
const SETTLED_MS = 500

type Asked = { version: ScoringVersion; content: ScoringContent; businessId: string | null; isComplete: boolean }

/**
 * Evaluates the rules as typed for a sample of the workspace and for one prospect, without storing anything. `errors` are the API's errors by path of
 * the field.
 */
export function useLiveResult({ version, content, businessId, isComplete }: Asked) {
  const [text] = useDebouncedValue(JSON.stringify(content), SETTLED_MS)
  const path = { ruleSetId: version.ruleSetId, version: String(version.version) }
  const sample = useQuery({ ...sampleQuery(path, text), enabled: isComplete })
  const trial = useQuery({ ...trialQuery(path, text, businessId ?? ''), enabled: isComplete && businessId !== null })
  return { sample, trial, errors: errorsOf(sample.error) }
}

type Path = { ruleSetId: string; version: string }

const evaluated = { placeholderData: keepPreviousData, staleTime: 60_000, retry: false } as const
const [about] = answersAbout('scoring')

const sampleQuery = (path: Path, text: string) =>
  queryOptions({
    ...evaluated,
    queryKey: [{ ...about, path, sampleOf: text }],
    queryFn: ({ signal }) => dataOf(sampleRuleSetVersion({ path, body: { content: JSON.parse(text) }, signal })),
  })

const trialQuery = (path: Path, text: string, businessId: string) =>
  queryOptions({
    ...evaluated,
    queryKey: [{ ...about, path, trialOf: text, businessId }],
    queryFn: ({ signal }) =>
      dataOf(tryRuleSetVersion({ path, body: { businessId, content: JSON.parse(text) }, signal })),
  })

function errorsOf(error: unknown): FieldErrors {
  if (!isProblem(error, 'invalid_request')) return {}
  return Object.fromEntries(error.errors.map(({ path, message }) => [path, message]))
}
