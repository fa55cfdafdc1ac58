import type { Adapter } from '@prospect/adapter-contract/adapter'
import type { DeclaredField } from '@prospect/adapter-contract/declaration'
import type { SourceAdapter } from '../sources.schema.ts'

/** Returns what a person can choose or type for an adapter. Fields that the calling room sets are omitted. */
export function toSourceAdapter({ id, version, declaration }: Adapter): SourceAdapter {
  const { purposes, answerFields, minRecords, query, settings } = declaration
  const inputs = (fields: readonly DeclaredField[]) =>
    fields.flatMap((field) => (field.kind === 'fixed' ? [] : [field]))
  return {
    id,
    version,
    purposes,
    answerFields,
    minRecords,
    query: query === null ? null : inputs(query),
    settings: inputs(settings),
  }
}

/** Adds the values that the calling room sets, so that a person need not type them in a dry run. */
export function withFixedValues({ declaration }: Adapter, query: Record<string, unknown>): Record<string, unknown> {
  const fixed = (declaration.query ?? []).flatMap((field) =>
    field.kind === 'fixed' ? [[field.name, field.value]] : [],
  )
  return { ...Object.fromEntries(fixed), ...query }
}
